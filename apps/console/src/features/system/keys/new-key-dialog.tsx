import { Alert, Button, Input, Modal, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import styles from './keys.module.css'

interface NewKeyDialogProps {
  /** The key that was just added. */
  readonly apiKey: string
  readonly onClose: () => void
}

/** Shows a new key. The server never sends it again, so the user must copy it now; a click beside does not close it. */
export function NewKeyDialog({ apiKey, onClose }: NewKeyDialogProps) {
  const { t } = useTranslation('system')
  return (
    <Modal
      open
      title={t('apiKeys.shown')}
      closable={false}
      mask={{ closable: false }}
      keyboard={false}
      footer={
        <Button type="primary" data-testid="new-key-stored" onClick={onClose}>
          {t('apiKeys.done')}
        </Button>
      }
    >
      <Alert type="warning" showIcon title={t('apiKeys.shownHint')} />
      <div className={styles.key}>
        <Input
          readOnly
          value={apiKey}
          aria-label={t('apiKeys.title', { name: '' })}
          onFocus={({ target }) => target.select()}
          data-testid="new-key"
        />
        <Typography.Text copyable={{ text: apiKey, tooltips: [t('apiKeys.copy'), t('apiKeys.copied')] }} />
      </div>
      <small className={styles.note}>{t('apiKeys.howTo')}</small>
    </Modal>
  )
}
