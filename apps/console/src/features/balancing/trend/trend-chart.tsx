import { ChartPointer, type Reading } from '../../../shared/chart/chart-pointer.tsx'
import type { Span } from '../../../shared/chart/time-axis.ts'
import { useChart } from '../../../shared/chart/use-chart.ts'
import styles from './trend.module.css'
import { ROOM, type toTrendOption } from './trend-option.ts'

interface TrendChartProps {
  readonly option: ReturnType<typeof toTrendOption>
  /** Time range of the chart. */
  readonly span: Span
  /** Returns the tooltip for an instant, Unix ms. */
  readonly read: (at: number) => Reading | undefined
  /** Accessible description. */
  readonly label: string
}

/** Chart of the balance over time, with a tooltip under the pointer. */
export default function TrendChart({ option, span, read, label }: TrendChartProps) {
  const { box } = useChart(option)
  return (
    <ChartPointer room={ROOM} span={span} read={({ at }) => read(at)}>
      <div ref={box} role="img" aria-label={label} className={styles.chart} data-testid="trend-chart" />
    </ChartPointer>
  )
}
