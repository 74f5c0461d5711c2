import { Alert, Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import form from './form.module.css'

interface ActionFormProps {
  readonly submit: string
  /** Whether what stands in the form can be sent. */
  readonly isReady: boolean
  readonly busy: boolean
  readonly error: Error | null
  /** Sending it does what cannot be taken back. */
  readonly danger?: boolean
  /** Of the button that sends it. */
  readonly testId: string
  readonly onSubmit: () => void
  readonly onCancel: () => void
  readonly children: ReactNode
}

/** Fields with what was refused of them, and the two ways out below. */
export function ActionForm(props: ActionFormProps) {
  const { submit, isReady, busy, error, danger = false, testId, onSubmit, onCancel, children } = props
  const { t } = useTranslation('alarms')
  return (
    <form
      className={form.form}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
      {error && <Alert type="error" showIcon title={toFailureText(error)} />}
      <div className={form.formEnd}>
        <Button onClick={onCancel}>{t('deed.cancel')}</Button>
        <Button
          type="primary"
          danger={danger}
          htmlType="submit"
          loading={busy}
          disabled={!isReady}
          data-testid={testId}
        >
          {submit}
        </Button>
      </div>
    </form>
  )
}
