import { KeyOutlined } from '@ant-design/icons'
import { exportBrokerLogins, exportGatewayLogins } from '@isotherm/contract/endpoints/devices/gateway-logins'
import { useMutation } from '@tanstack/react-query'
import { Button, Dropdown, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { LazyPart } from '../../../shared/lazy/lazy-part.tsx'
import { useSelectedNodes } from '../../../shared/nodes/tree-selection.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { useSaveLogins } from './save-logins.ts'

const loadToken = () => import('./unregistered-token.tsx')

type Dialog = 'passwords' | 'hashes' | 'token'

/** Menu of many devices' credentials: their passwords or hashes of them as a file, and a token for an unregistered device. */
export function CredentialsMenu() {
  const { t } = useTranslation(['devices', 'common'])
  const [dialog, setDialog] = useState<Dialog>()
  const close = () => setDialog(undefined)
  const nodes = useSelectedNodes() ?? []
  const { savePasswords, saveHashes } = useSaveLogins()
  const done = {
    gcTime: 0,
    onSettled: close,
    onError: (error: Error) => showNotice('error', toFailureText(error)),
  }
  const saving = useMutation({
    ...done,
    mutationFn: () => call(exportGatewayLogins, { nodes: [...nodes] }),
    onSuccess: ({ datalist }) => savePasswords(datalist),
  })
  const hashing = useMutation({
    ...done,
    mutationFn: () => call(exportBrokerLogins, { nodes: [...nodes] }),
    onSuccess: ({ datalist }) => saveHashes(datalist),
  })
  const exports = [
    {
      key: 'passwords',
      label: t('login.export'),
      question: t('login.exportQuestion'),
      means: t('login.exportMeans'),
      reading: saving,
    },
    {
      key: 'hashes',
      label: t('login.hashes'),
      question: t('login.hashesQuestion'),
      means: t('login.hashesMeans'),
      reading: hashing,
    },
  ] as const
  const items = [...exports, { key: 'token', label: t('login.token.open') } as const]
  return (
    <>
      <Dropdown
        trigger={['click']}
        menu={{ items: items.map(({ key, label }) => ({ key, label, onClick: () => setDialog(key) })) }}
      >
        <Button icon={<KeyOutlined />} data-testid="credentials-menu">
          {t('login.menu')}
        </Button>
      </Dropdown>
      {exports.map(({ key, label, question, means, reading }) => (
        <Modal
          key={key}
          open={dialog === key}
          title={question}
          okText={label}
          cancelText={t('form.cancel', { ns: 'common' })}
          confirmLoading={reading.isPending}
          onOk={() => reading.mutate()}
          onCancel={close}
        >
          {means}
        </Modal>
      ))}
      <LazyPart
        wanted={dialog === 'token'}
        load={loadToken}
        onFailed={close}
        props={{ isOpen: dialog === 'token', onClose: close }}
      />
    </>
  )
}
