import { useChart } from '../../../shared/chart/use-chart.ts'
import styles from './trend.module.css'
import type { toTrendOption } from './trend-option.ts'

interface TrendChartProps {
  readonly option: ReturnType<typeof toTrendOption>
  /** What the chart shows, for those who cannot see it. */
  readonly label: string
}

/** The chart library with the trend in it. */
export default function TrendChart({ option, label }: TrendChartProps) {
  const { box } = useChart(option)
  return <div ref={box} role="img" aria-label={label} className={styles.chart} data-testid="trend-chart" />
}
