import { LineChart } from 'echarts/charts'
import { AxisPointerComponent, GridComponent, MarkLineComponent, TooltipComponent } from 'echarts/components'
import { type EChartsType, init, use as register } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect, useRef } from 'react'
import styles from './trend.module.css'
import type { toTrendOption } from './trend-option.ts'

register([
  LineChart,
  GridComponent,
  TooltipComponent,
  MarkLineComponent,
  AxisPointerComponent,
  CanvasRenderer,
])

interface TrendChartProps {
  readonly option: ReturnType<typeof toTrendOption>
  /** What the chart shows, for those who cannot see it. */
  readonly label: string
}

/** The chart library in the page: made once, given each new option, resized with its box. */
export default function TrendChart({ option, label }: TrendChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType>(undefined)
  useEffect(() => {
    if (!box.current) return
    const made = init(box.current, undefined, { renderer: 'canvas' })
    chart.current = made
    const observer = new ResizeObserver(() => made.resize())
    observer.observe(box.current)
    return () => {
      observer.disconnect()
      made.dispose()
      chart.current = undefined
    }
  }, [])
  useEffect(() => {
    chart.current?.setOption(option, { replaceMerge: ['series', 'xAxis', 'yAxis'], lazyUpdate: true })
  }, [option])
  return <div ref={box} role="img" aria-label={label} className={styles.chart} data-testid="trend-chart" />
}
