import { useChart } from '../../../shared/chart/use-chart.ts'
import styles from './saving.module.css'
import type { toSavingOption } from './saving-option.ts'

interface SavingChartProps {
  readonly option: ReturnType<typeof toSavingOption>
  /** Accessible description. */
  readonly label: string
}

/** Scatter plot of daily heat. */
export default function SavingChart({ option, label }: SavingChartProps) {
  const { box } = useChart(option)
  return <div ref={box} role="img" aria-label={label} className={styles.chart} data-testid="saving-chart" />
}
