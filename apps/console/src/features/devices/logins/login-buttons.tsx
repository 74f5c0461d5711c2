import { KeyOutlined, StopOutlined } from '@ant-design/icons'
import { type ExportedLogin, exportGatewayLogins } from '@isotherm/contract/endpoints/devices/gateway-logins'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, Popconfirm } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { useSelectedNodes } from '../../../shared/nodes/tree-selection.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { toCsv } from '../../../shared/records/to-csv.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { saveFile } from '../../../shared/ui/save-file.ts'
import { SideDrawer } from '../../../shared/ui/side-drawer.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import { RefusalList } from './refusal-list.tsx'
import { refusalsQuery } from './refusals-query.ts'

const DRAWER_PX = 560

/** Buttons of the list of concentrators: refused gateways, and the passwords of the selected nodes as a file. */
export function LoginButtons({ onOpen }: { readonly onOpen: (deviceId: number) => void }) {
  const { t } = useTranslation(['devices', 'common'])
  const [isOpen, setOpen] = useState(false)
  const nodes = useSelectedNodes() ?? []
  const refusals = useQuery(refusalsQuery())
  const saving = useMutation({
    mutationFn: () => call(exportGatewayLogins, { nodes: [...nodes] }),
    gcTime: 0,
    onSuccess({ datalist }) {
      const column = (key: string, title: string, value: (login: ExportedLogin) => string) => ({
        key,
        title,
        widthPx: 0,
        render: value,
        text: value,
      })
      const columns = [
        column('name', t('column.name'), ({ name }) => name),
        column('serial', t('column.serial'), ({ serial }) => serial),
        column('username', t('login.username'), ({ username }) => username),
        column('clientId', t('login.clientId'), ({ clientId }) => clientId),
        column('password', t('login.password'), ({ password }) => password),
        column('up', t('login.up'), ({ upTopic }) => upTopic),
        column('down', t('login.down'), ({ downTopic }) => downTopic),
      ]
      const content = new Blob([toCsv(columns, datalist)], { type: 'text/csv;charset=utf-8' })
      saveFile({ name: `${t('login.fileName')}.csv`, content })
    },
    onError: (error) => showNotice('error', toFailureText(error)),
  })
  return (
    <>
      <Button icon={<StopOutlined />} data-testid="refusals-open" onClick={() => setOpen(true)}>
        {t('refusal.open', { count: refusals.data?.total ?? 0 })}
      </Button>
      <Popconfirm
        title={t('login.exportQuestion')}
        description={t('login.exportMeans')}
        okText={t('login.export')}
        cancelText={t('form.cancel', { ns: 'common' })}
        onConfirm={() => saving.mutate()}
      >
        <Button icon={<KeyOutlined />} loading={saving.isPending} data-testid="logins-export">
          {t('login.export')}
        </Button>
      </Popconfirm>
      <SideDrawer
        isWanted={isOpen}
        title={t('refusal.title')}
        widthPx={DRAWER_PX}
        onClose={() => setOpen(false)}
      >
        <Answer query={refusals}>
          {({ datalist }) =>
            datalist.length === 0 ? (
              <EmptyState title={t('refusal.none')} hint={t('refusal.noneHint')} />
            ) : (
              <RefusalList
                refusals={datalist}
                onOpen={(deviceId) => {
                  setOpen(false)
                  onOpen(deviceId)
                }}
              />
            )
          }
        </Answer>
      </SideDrawer>
    </>
  )
}
