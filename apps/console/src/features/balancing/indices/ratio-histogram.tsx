import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { countFlowRatios, type RatioCount } from './flow-ratios.ts'
import styles from './ratios.module.css'
import type { BalanceValve } from './valve-query.ts'

/** Histogram of valves by flow ratio. */
export function RatioHistogram({ valves }: { readonly valves: readonly BalanceValve[] }) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const counts = countFlowRatios(valves)
  if (counts.length === 0) return null
  const most = Math.max(...counts.map((count) => count.valves))
  const toSpan = ({ from, to }: RatioCount): string => {
    if (from === undefined) return `< ${format.number(to, 1)}`
    return to === undefined
      ? `≥ ${format.number(from, 1)}`
      : `${format.number(from, 1)}–${format.number(to, 1)}`
  }
  return (
    <section className={styles.ratios} data-testid="flow-ratios">
      <strong>{t('indices.ratios')}</strong>
      <p>{t('indices.ratiosMeaning')}</p>
      <ul>
        {counts.map((count) => (
          <li key={toSpan(count)} data-passes={count.passes || undefined}>
            <span>{toSpan(count)}</span>
            <span className={styles.track}>
              <span className={styles.bar} style={{ inlineSize: `${(100 * count.valves) / most}%` }} />
            </span>
            <span>{format.number(count.valves, 0)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
