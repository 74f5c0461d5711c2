import { useChart } from '../../../shared/chart/use-chart.ts'
import styles from './weather.module.css'
import type { toWeatherOption } from './weather-option.ts'

interface WeatherChartProps {
  readonly option: ReturnType<typeof toWeatherOption>
  /** Accessible description. */
  readonly label: string
}

/** Curve of the outdoor temperature. */
export default function WeatherChart({ option, label }: WeatherChartProps) {
  const { box } = useChart(option)
  return <div ref={box} role="img" aria-label={label} className={styles.chart} data-testid="weather-chart" />
}
