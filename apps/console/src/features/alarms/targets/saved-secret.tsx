import { Alert, Button, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import form from '../../../shared/form/form.module.css'

/** The secret that was just saved. The server never sends it again, so the user must copy it now. */
export function SavedSecret({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const { t } = useTranslation('alarms')
  return (
    <div className={form.form}>
      <Alert type="success" showIcon title={t('target.savedSecret')} />
      <Input
        readOnly
        value={secret}
        aria-label={t('target.secret')}
        onFocus={(event) => event.target.select()}
        data-testid="target-secret"
      />
      <div className={form.formEnd}>
        <Button type="primary" onClick={onClose}>
          {t('target.close')}
        </Button>
      </div>
    </div>
  )
}
