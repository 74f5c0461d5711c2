import { LineChart } from 'echarts/charts'
import {
  AxisPointerComponent,
  DataZoomInsideComponent,
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  TooltipComponent,
} from 'echarts/components'
import { type EChartsType, init, use as register } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect, useEffectEvent, useRef } from 'react'
import { readZoom } from './chart-events.ts'
import type { toChartOption } from './chart-option.ts'

register([
  LineChart,
  GridComponent,
  TooltipComponent,
  LegendComponent,
  MarkLineComponent,
  DataZoomInsideComponent,
  AxisPointerComponent,
  CanvasRenderer,
])

interface ChartProps {
  readonly option: ReturnType<typeof toChartOption>
  readonly heightPx: number
  /** What the chart shows, for those who cannot see it. */
  readonly label: string
  /** The span zoomed to with wheel or fingers, Unix ms, once the gesture rests. */
  readonly onZoom: (from: number, to: number) => void
}

/** A zoom gesture counts as over after this pause, ms. */
const ZOOM_REST_MS = 300

/** The chart library in the page: made once, given each new option, resized with its box. */
export default function Chart({ option, heightPx, label, onZoom }: ChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType>(undefined)
  const zoomed = useEffectEvent(onZoom)

  useEffect(() => {
    if (!box.current) return
    const made = init(box.current, undefined, { renderer: 'canvas' })
    chart.current = made
    const observer = new ResizeObserver(() => made.resize())
    observer.observe(box.current)
    let rest: ReturnType<typeof setTimeout> | undefined
    made.on('datazoom', () => {
      clearTimeout(rest)
      rest = setTimeout(() => {
        const span = readZoom(made.getOption().dataZoom)
        if (span) zoomed(span.from, span.to)
      }, ZOOM_REST_MS)
    })
    return () => {
      clearTimeout(rest)
      observer.disconnect()
      made.dispose()
      chart.current = undefined
    }
  }, [])

  useEffect(() => {
    chart.current?.setOption(option, { replaceMerge: ['series', 'grid', 'xAxis', 'yAxis'], lazyUpdate: true })
  }, [option])

  return (
    <div ref={box} role="img" aria-label={label} data-testid="history-chart" style={{ height: heightPx }} />
  )
}
