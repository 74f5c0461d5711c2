import { useTranslation } from 'react-i18next'
import { useFormat } from '../../shared/format/use-format.ts'
import { toBins } from '../../shared/statistics.ts'
import styles from './dashboard.module.css'

interface DistributionProps {
  readonly valuesC: readonly number[]
  /** Width of one bar, K. */
  readonly widthK: number
  readonly label: string
  /** Bars below it are marked, °C. */
  readonly limitC?: number
}

/** How many values fall into each step of temperature, as small bars. */
export function Distribution({ valuesC, widthK, label, limitC }: DistributionProps) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const bins = toBins(valuesC, widthK)
  const first = bins[0]
  const last = bins.at(-1)
  if (!first || !last) return <p className={styles.hint}>{t('noReadings')}</p>
  const most = Math.max(...bins.map(({ count }) => count))
  return (
    <figure className={styles.distribution} aria-label={label}>
      <ol>
        {bins.map(({ from, to, count }) => (
          <li
            key={from}
            title={t('bin', {
              from: format.metricValue('temp.room', from),
              to: format.metric('temp.room', to),
              count,
            })}
            data-below={limitC !== undefined && to <= limitC}
          >
            <span style={{ height: `${(count / most) * 100}%` }} />
          </li>
        ))}
      </ol>
      <figcaption>
        <span>{format.metric('temp.room', first.from)}</span>
        <span>{format.metric('temp.room', last.to)}</span>
      </figcaption>
    </figure>
  )
}
