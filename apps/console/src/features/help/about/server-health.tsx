import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadingState } from '../../../shared/ui/states.tsx'
import styles from './about.module.css'
import { readinessQuery } from './readiness-query.ts'

const NAMED = ['postgres', 'clickhouse', 'broker', 'ingest'] as const

/** Whether the server and the services that it needs answer now. */
export function ServerHealth(): ReactNode {
  const { t } = useTranslation('help')
  const { data, isError } = useQuery(readinessQuery)
  if (isError) return <p className="badge-caution">{t('unknown')}</p>
  if (!data) return <LoadingState />
  const isReady = data.status === 'ready'
  const toName = (check: string): string => {
    const named = NAMED.find((each) => each === check)
    return named ? t(`check.${named}`) : check
  }
  return (
    <>
      <p className={isReady ? 'badge-good' : 'badge-alarm'} data-testid="health">
        {t(isReady ? 'ready' : 'notReady')}
      </p>
      <ul className={styles.checks}>
        {Object.entries(data.checks).map(([check, answers]) => (
          <li key={check} className={answers ? 'badge-muted' : 'badge-alarm'}>
            {t(answers ? 'answers' : 'fails', { name: toName(check) })}
          </li>
        ))}
      </ul>
    </>
  )
}
