import { BugOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useRouteError } from 'react-router'
import { toFailureText } from '../../shared/api/api-error.ts'
import { AccessUnreachable } from '../guard/access-unreachable.ts'
import { RetryPage } from './retry-page.tsx'

/** Replaces a page that failed to load or to render. The rest of the console keeps working. */
export function PageError(): ReactNode {
  const { t } = useTranslation('common')
  const error = useRouteError()
  useEffect(() => console.error(error), [error])
  if (error instanceof AccessUnreachable) return <RetryPage cause={error.cause} />
  return (
    <div className="state" role="alert">
      <BugOutlined className="state-icon state-icon-alarm" />
      <div className="state-title">{t('failure.page')}</div>
      <div className="state-hint">{t('failure.pageHint')}</div>
      <pre className="state-detail">{toFailureText(error)}</pre>
      <Button onClick={() => location.reload()}>{t('failure.reload')}</Button>
    </div>
  )
}
