import type { FigureDefinition } from '@isotherm/contract/statistics/reports'
import { useTranslation } from 'react-i18next'
import styles from './statistics.module.css'
import { useFigureText } from './use-figure-text.ts'

interface DistributionBarsProps {
  readonly figure: FigureDefinition
  readonly distribution: { readonly bounds: readonly number[]; readonly counts: readonly number[] }
  readonly label: string
}

/** Histogram: the number of places by value. */
export function DistributionBars({ figure, distribution: { bounds, counts }, label }: DistributionBarsProps) {
  const { t } = useTranslation('statistics')
  const text = useFigureText()
  const [first, last] = [bounds[0], bounds.at(-1)]
  if (first === undefined || last === undefined) return <p className={styles.hint}>{t('course.empty')}</p>
  const most = Math.max(...counts)
  return (
    <figure className={styles.bars} aria-label={label} data-testid="report-distribution">
      <ol>
        {counts.map((count, index) => (
          <li
            key={bounds[index]}
            title={t('distribution.bin', {
              from: text.value(figure, bounds[index]),
              to: text.withUnit(figure, bounds[index + 1]),
              count,
            })}
          >
            <small>{count > 0 && count}</small>
            <span style={{ height: `${(count / most) * 100}%` }} />
          </li>
        ))}
      </ol>
      <figcaption>
        <span>{text.withUnit(figure, first)}</span>
        <span>{text.withUnit(figure, last)}</span>
      </figcaption>
    </figure>
  )
}
