import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useChart } from '../../shared/chart/use-chart.ts'
import { listenForZoom } from './chart-gestures.ts'
import { ChartLegend } from './chart-legend.tsx'
import { AXIS_LEFT_PX, AXIS_RIGHT_PX, type ChartLine, type toChartOption } from './chart-option.ts'
import type { Span } from './chart-zoom.ts'
import styles from './valves.module.css'

interface ChartProps {
  readonly option: ReturnType<typeof toChartOption>
  readonly lines: readonly ChartLine[]
  /** What the option shows. */
  readonly span: Span
  readonly heightPx: number
  /** What the chart shows, for those who cannot see it. */
  readonly label: string
  /** The span zoomed to with wheel or fingers, Unix ms, once the gesture rests. */
  readonly onZoom: (from: number, to: number) => void
}

/** A zoom gesture counts as over after this pause, ms. */
const ZOOM_REST_MS = 300

/** Curves that are switched off stay in the chart without their points, so that the others keep their places. */
function hideLines(option: ChartProps['option'], hidden: ReadonlySet<string>): ChartProps['option'] {
  if (hidden.size === 0) return option
  return {
    ...option,
    series: option.series.map((line) => (hidden.has(line.name) ? { ...line, data: [] } : line)),
  }
}

/** The chart library with the curves in it: they can be switched off, and zoomed by wheel and fingers. */
export default function Chart({ option, lines, span, heightPx, label, onZoom }: ChartProps) {
  const shown = useRef(span)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const { box, chart } = useChart(useMemo(() => hideLines(option, hidden), [option, hidden]))
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined)
  const getWhole = useEffectEvent(() => span)
  const zoomed = useEffectEvent(onZoom)
  const show = useEffectEvent((to: Span) => {
    shown.current = to
    chart.current?.setOption({ xAxis: option.xAxis.map(() => ({ min: to.from, max: to.to })) })
    clearTimeout(rest.current)
    rest.current = setTimeout(() => zoomed(to.from, to.to), ZOOM_REST_MS)
  })

  useEffect(() => {
    if (!box.current) return
    const stopListening = listenForZoom({
      box: box.current,
      leftPx: AXIS_LEFT_PX,
      rightPx: AXIS_RIGHT_PX,
      span: () => shown.current,
      whole: () => getWhole(),
      onChange: (to) => show(to),
    })
    return () => {
      clearTimeout(rest.current)
      stopListening()
    }
  }, [box])

  useEffect(() => {
    shown.current = span
  }, [span])

  const toggle = (name: string) =>
    setHidden(
      (known) => new Set(known.has(name) ? [...known].filter((each) => each !== name) : [...known, name]),
    )
  return (
    <div className={styles.chart}>
      <ChartLegend lines={lines} hidden={hidden} onToggle={toggle} />
      <div ref={box} role="img" aria-label={label} data-testid="history-chart" style={{ height: heightPx }} />
    </div>
  )
}
