import { Alert, Modal } from 'antd'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { expired, provideLeave, useExpired } from './expired.ts'

/**
 * The dialog of an expired session (specification, sections 4 and 8). Re-Login opens a new session with what
 * this tab stored, or else leads to the login page by `onLost`; Cancel leaves the page as it is, marked as
 * expired. It closes by itself when another tab has logged in again.
 */
export function Relogin({ onLost }: { readonly onLost: () => void }): ReactNode {
  const { t } = useTranslation('session')
  const { state, text } = useExpired()
  useEffect(() => provideLeave(onLost), [onLost])
  return (
    <Modal
      open={state === 'asking' || state === 'renewing'}
      title={t('expired.title')}
      okText={t('expired.confirm')}
      cancelText={t('expired.cancel')}
      onOk={expired.confirm}
      onCancel={expired.cancel}
      confirmLoading={state === 'renewing'}
      cancelButtonProps={{ disabled: state === 'renewing' }}
      closable={false}
      mask={{ closable: false }}
      width={400}
    >
      <p className="relogin-text">{t('expired.text')}</p>
      {text !== undefined && <Alert type="error" showIcon role="alert" title={text} />}
    </Modal>
  )
}
