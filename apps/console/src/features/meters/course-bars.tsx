import type { CourseBucket } from '@isotherm/contract/endpoints/monitoring/meters'
import { useTranslation } from 'react-i18next'
import type { HeatUnit } from './heat-unit.ts'
import styles from './meters.module.css'
import { useHeatText } from './use-heat-text.ts'

interface CourseBarsProps {
  readonly buckets: readonly CourseBucket[]
  readonly unit: HeatUnit
  readonly label: string
}

/** Heat by day, month or season as bars; the estimated part is striped. */
export function CourseBars({ buckets, unit, label }: CourseBarsProps) {
  const { t } = useTranslation('meters')
  const text = useHeatText(unit)
  const [first, last] = [buckets[0], buckets.at(-1)]
  if (!first || !last) return <p className={styles.none}>{t('drawer.noCourse')}</p>
  const most = Math.max(...buckets.map(({ heatKwh }) => heatKwh), 1e-9)
  const toTitle = ({ start, heatKwh, estimatedKwh, lowKwh, highKwh }: CourseBucket): string =>
    [
      `${start}: ${text.heat(heatKwh)}`,
      ...(estimatedKwh > 0 ? [t('estimated', { heat: text.heat(estimatedKwh) })] : []),
      ...(highKwh > lowKwh ? [t('bounds', { low: text.heat(lowKwh), high: text.heat(highKwh) })] : []),
    ].join(' · ')
  return (
    <figure className={styles.course} aria-label={label} data-testid="meter-course">
      <ol>
        {buckets.map((bucket) => (
          <li key={bucket.start} title={toTitle(bucket)}>
            <span className={styles.guess} style={{ height: `${(bucket.estimatedKwh / most) * 100}%` }} />
            <span style={{ height: `${((bucket.heatKwh - bucket.estimatedKwh) / most) * 100}%` }} />
          </li>
        ))}
      </ol>
      <figcaption>
        <span>{first.start}</span>
        <span>{last.start}</span>
      </figcaption>
    </figure>
  )
}
