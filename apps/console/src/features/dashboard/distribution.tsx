import { BIN_WIDTH, type Distribution as Values } from '@isotherm/contract/network/network-figures'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../shared/format/use-format.ts'
import styles from './dashboard.module.css'

interface DistributionProps {
  /** °C. */
  readonly values: Values | null
  readonly label: string
  /** Limit; bars below it are marked, °C. */
  readonly limitC?: number
}

/** Histogram of temperatures. */
export function Distribution({ values, label, limitC }: DistributionProps) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const bins = values?.bins ?? []
  const first = bins[0]
  const last = bins.at(-1)
  if (!first || !last) return <p className={styles.hint}>{t('noReadings')}</p>
  const most = Math.max(...bins.map(({ count }) => count))
  return (
    <figure className={styles.distribution} aria-label={label}>
      <ol>
        {bins.map(({ from, count }) => (
          <li
            key={from}
            title={t('bin', {
              from: format.metricValue('temp.room', from),
              to: format.metric('temp.room', from + BIN_WIDTH),
              count,
            })}
            data-below={limitC !== undefined && from + BIN_WIDTH <= limitC}
          >
            <span style={{ height: `${(count / most) * 100}%` }} />
          </li>
        ))}
      </ol>
      <figcaption>
        <span>{format.metric('temp.room', first.from)}</span>
        <span>{format.metric('temp.room', last.from + BIN_WIDTH)}</span>
      </figcaption>
    </figure>
  )
}
