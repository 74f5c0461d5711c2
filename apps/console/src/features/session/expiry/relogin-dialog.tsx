import { Alert, Modal } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { expired, useExpired } from './expired.ts'

/** Dialog to log in again after a session has expired. Loaded only when it is needed. */
export default function ReloginDialog(): ReactNode {
  const { t } = useTranslation('session')
  const { state, text } = useExpired()
  return (
    <Modal
      open={state === 'prompting' || state === 'renewing'}
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
