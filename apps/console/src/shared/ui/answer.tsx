import type { UseQueryResult } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../format/use-format.ts'
import { ErrorState, LoadingState } from './states.tsx'

/** The part of a query result that a page shows. */
export interface ShownQuery<Data> extends Pick<UseQueryResult<Data>, 'data' | 'error' | 'dataUpdatedAt'> {
  readonly refetch: () => Promise<unknown>
}

interface AnswerProps<Data> {
  readonly query: ShownQuery<Data>
  /** Text while loading. */
  readonly loading?: string
  readonly children: (data: Data) => ReactNode
}

/**
 * Shows the data of a query, or its loading or error state. If a refetch fails, it keeps showing the last data with
 * their time.
 */
export function Answer<Data>({ query, loading, children }: AnswerProps<Data>): ReactNode {
  const { t } = useTranslation('common')
  const format = useFormat()
  const { data, error, dataUpdatedAt, refetch } = query
  if (data === undefined)
    return error ? (
      <ErrorState error={error} onRetry={() => void refetch()} />
    ) : (
      <LoadingState {...(loading !== undefined && { text: loading })} />
    )
  return (
    <>
      {error && (
        <p className="answer-old" role="status">
          {t('state.old', { time: format.time(dataUpdatedAt) })}
          <Button type="link" size="small" onClick={() => void refetch()}>
            {t('state.retry')}
          </Button>
        </p>
      )}
      {children(data)}
    </>
  )
}
