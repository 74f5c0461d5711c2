import { Alert, Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../api/api-error.ts'
import form from './form.module.css'

interface ActionFormProps {
  readonly submit: string
  /** Whether the form can be sent. */
  readonly isReady: boolean
  readonly busy: boolean
  readonly error: Error | null
  /** Sending cannot be undone. */
  readonly danger?: boolean
  /** Test id of the submit button. */
  readonly testId: string
  readonly onSubmit: () => void
  readonly onCancel: () => void
  readonly children: ReactNode
}

/** A form with its fields, the refusal if any, and the buttons submit and cancel. */
export function ActionForm(props: ActionFormProps) {
  const { submit, isReady, busy, error, danger = false, testId, onSubmit, onCancel, children } = props
  const { t } = useTranslation('common')
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
        <Button onClick={onCancel}>{t('form.cancel')}</Button>
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
