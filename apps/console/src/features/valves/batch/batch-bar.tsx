import type { BatchProgress } from '@isotherm/contract/command'
import { useTranslation } from 'react-i18next'
import styles from './batch.module.css'
import { toSegments, toSettledPct } from './batch-figures.ts'

/** The command states of a batch as shares of one bar. A screen reader reads the counts. */
export function BatchBar({ batch }: { readonly batch: Pick<BatchProgress, 'counts' | 'total'> }) {
  const { t } = useTranslation(['valves', 'common'])
  const segments = toSegments(batch)
  const words = segments.map(({ state, count }) => `${t(`commandState.${state}`, { ns: 'common' })} ${count}`)
  return (
    <div
      className={styles.bar}
      role="progressbar"
      aria-label={t('batch.title')}
      aria-valuenow={toSettledPct(batch)}
      aria-valuetext={words.join(', ')}
      title={words.join(' · ')}
    >
      {segments.map(({ state, count }) => (
        <i key={state} data-state={state} style={{ flexGrow: count }} />
      ))}
    </div>
  )
}
