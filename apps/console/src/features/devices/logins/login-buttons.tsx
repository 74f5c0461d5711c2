import { KeyOutlined, NumberOutlined, StopOutlined } from '@ant-design/icons'
import { exportBrokerLogins, exportGatewayLogins } from '@isotherm/contract/endpoints/devices/gateway-logins'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, Popconfirm } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { useSelectedNodes } from '../../../shared/nodes/tree-selection.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { SideDrawer } from '../../../shared/ui/side-drawer.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import { RefusalList } from './refusal-list.tsx'
import { refusalsQuery } from './refusals-query.ts'
import { useSaveLogins } from './save-logins.ts'
import { UnregisteredToken } from './unregistered-token.tsx'

const DRAWER_PX = 560

/** Buttons of the list of concentrators: refused gateways, and the passwords or their hashes of the selected nodes as a file. */
export function LoginButtons({ onOpen }: { readonly onOpen: (deviceId: number) => void }) {
  const { t } = useTranslation(['devices', 'common'])
  const [isOpen, setOpen] = useState(false)
  const nodes = useSelectedNodes() ?? []
  const refusals = useQuery(refusalsQuery())
  const { savePasswords, saveHashes } = useSaveLogins()
  const onError = (error: Error) => showNotice('error', toFailureText(error))
  const saving = useMutation({
    mutationFn: () => call(exportGatewayLogins, { nodes: [...nodes] }),
    gcTime: 0,
    onSuccess: ({ datalist }) => savePasswords(datalist),
    onError,
  })
  const hashing = useMutation({
    mutationFn: () => call(exportBrokerLogins, { nodes: [...nodes] }),
    gcTime: 0,
    onSuccess: ({ datalist }) => saveHashes(datalist),
    onError,
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
      <Popconfirm
        title={t('login.hashesQuestion')}
        description={t('login.hashesMeans')}
        okText={t('login.hashes')}
        cancelText={t('form.cancel', { ns: 'common' })}
        onConfirm={() => hashing.mutate()}
      >
        <Button icon={<NumberOutlined />} loading={hashing.isPending} data-testid="hashes-export">
          {t('login.hashes')}
        </Button>
      </Popconfirm>
      <UnregisteredToken />
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
