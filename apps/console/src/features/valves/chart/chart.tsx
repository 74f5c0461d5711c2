import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { type ChartPlace, ChartPointer } from '../../../shared/chart/chart-pointer.tsx'
import type { Span } from '../../../shared/chart/time-axis.ts'
import { useChart } from '../../../shared/chart/use-chart.ts'
import type { AlarmMark } from '../curves/alarm-marks.ts'
import styles from './chart.module.css'
import { findMark } from './chart-alarms.ts'
import { listenForZoom } from './chart-gestures.ts'
import { ChartLegend } from './chart-legend.tsx'
import { type ChartLine, ROOM, type toChartOption } from './chart-option.ts'
import { readCurves } from './curve-reading.ts'
import { useReadings } from './use-chart-theme.ts'

interface ChartProps {
  readonly option: ReturnType<typeof toChartOption>
  readonly lines: readonly ChartLine[]
  readonly alarms: readonly AlarmMark[]
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
export default function Chart({ option, lines, alarms, span, heightPx, label, onZoom }: ChartProps) {
  const shown = useRef(span)
  // What a gesture shows of a span, until it rests.
  const [gesture, setGesture] = useState<{ readonly of: Span; readonly to: Span }>()
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const { box, chart } = useChart(useMemo(() => hideLines(option, hidden), [option, hidden]))
  const readings = useReadings()
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined)
  const getWhole = useEffectEvent(() => span)
  const zoomed = useEffectEvent(onZoom)
  const show = useEffectEvent((to: Span) => {
    shown.current = to
    setGesture({ of: span, to })
    chart.current?.setOption({ xAxis: option.xAxis.map(() => ({ min: to.from, max: to.to })) })
    clearTimeout(rest.current)
    rest.current = setTimeout(() => zoomed(to.from, to.to), ZOOM_REST_MS)
  })

  useEffect(() => {
    if (!box.current) return
    const stopListening = listenForZoom({
      box: box.current,
      ...ROOM,
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
  const read = (place: ChartPlace) => {
    const mark = option.grid[0] && findMark(alarms, place, option.grid[0])
    if (mark) return readings.ofAlarm(mark)
    const found = readCurves(
      lines.filter(({ name }) => !hidden.has(name)),
      place.at,
    )
    return found && readings.ofCurves(found.rows, found.ts)
  }
  return (
    <div className={styles.chart}>
      <ChartLegend lines={lines} hidden={hidden} onToggle={toggle} />
      <ChartPointer room={ROOM} span={gesture?.of === span ? gesture.to : span} read={read}>
        <div
          ref={box}
          role="img"
          aria-label={label}
          data-testid="history-chart"
          style={{ height: heightPx }}
        />
      </ChartPointer>
    </div>
  )
}
