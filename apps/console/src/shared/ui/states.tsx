import { InboxOutlined, LoadingOutlined, WarningOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../api/api-error.ts'

/** Shown in place of data while they load. */
export function LoadingState({ text }: { readonly text?: string }): ReactNode {
  const { t } = useTranslation('common')
  return (
    <div className="state" role="status">
      <LoadingOutlined spin className="state-icon" />
      <div className="state-title">{text ?? t('state.loading')}</div>
    </div>
  )
}

export interface EmptyStateProps {
  readonly title?: string
  /** What the user can do about it. */
  readonly hint?: ReactNode
  readonly action?: ReactNode
}

/** Shown in place of data if there are none. */
export function EmptyState({ title, hint, action }: EmptyStateProps): ReactNode {
  const { t } = useTranslation('common')
  return (
    <div className="state">
      <InboxOutlined className="state-icon" />
      <div className="state-title">{title ?? t('state.empty')}</div>
      {hint && <div className="state-hint">{hint}</div>}
      {action}
    </div>
  )
}

/** Shown in place of data if they could not be loaded, with an optional retry. */
export function ErrorState(props: { readonly error: unknown; readonly onRetry?: () => void }): ReactNode {
  const { t } = useTranslation('common')
  return (
    <div className="state" role="alert">
      <WarningOutlined className="state-icon state-icon-alarm" />
      <div className="state-title">{t('state.failed')}</div>
      <div className="state-hint">{toFailureText(props.error)}</div>
      {props.onRetry && <Button onClick={props.onRetry}>{t('state.retry')}</Button>}
    </div>
  )
}
