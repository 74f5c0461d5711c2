import type { OutputOf } from '@isotherm/contract/endpoint'
import type { getReportCourse } from '@isotherm/contract/endpoints/monitoring/statistics'
import type { FigureDefinition } from '@isotherm/contract/statistics/reports'
import { useTranslation } from 'react-i18next'
import styles from './statistics.module.css'
import { toScale } from './to-scale.ts'
import { useFigureText } from './use-figure-text.ts'

type Point = OutputOf<typeof getReportCourse>['points'][number]

interface CourseLineProps {
  readonly figure: FigureDefinition
  readonly points: readonly Point[]
  readonly label: string
}

const WIDTH = 600
const HEIGHT = 120
const MARGIN = 6

/** Course of a figure; spans without a value interrupt the line. */
export function CourseLine({ figure, points, label }: CourseLineProps) {
  const { t } = useTranslation('statistics')
  const text = useFigureText()
  const values = points.flatMap(({ value }) => value ?? [])
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || values.length === 0) return <p className={styles.hint}>{t('course.empty')}</p>
  const [low, high] = toScale(values)
  const toX = (index: number): number =>
    points.length === 1 ? WIDTH / 2 : MARGIN + (index / (points.length - 1)) * (WIDTH - 2 * MARGIN)
  const toY = (value: number): number =>
    HEIGHT - MARGIN - ((value - low) / (high - low)) * (HEIGHT - 2 * MARGIN)
  const path = points
    .map(({ value }, index) => {
      if (value === undefined) return ''
      const isStart = points[index - 1]?.value === undefined
      return `${isStart ? 'M' : 'L'}${toX(index).toFixed(1)} ${toY(value).toFixed(1)}`
    })
    .join('')
  return (
    <figure className={styles.course} aria-label={label} data-testid="report-course">
      <div className={styles.scale}>
        <span>{text.withUnit(figure, high)}</span>
        <span>{text.withUnit(figure, low)}</span>
      </div>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
        <title>{label}</title>
        <path d={path} vectorEffect="non-scaling-stroke" />
      </svg>
      <ol>
        {points.map(({ from, to, value, measured, devices }, index) => (
          <li
            key={from}
            style={{ left: `${(toX(index) / WIDTH) * 100}%` }}
            title={t('course.point', {
              from,
              to,
              value: text.withUnit(figure, value),
              measured,
              devices,
            })}
          >
            {value !== undefined && <i style={{ top: `${(toY(value) / HEIGHT) * 100}%` }} />}
          </li>
        ))}
      </ol>
      <figcaption>
        <span>{first.from}</span>
        <span>{last.to}</span>
      </figcaption>
    </figure>
  )
}
