import { PictureOutlined } from '@ant-design/icons'
import { Button, theme } from 'antd'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ChartPlace, ChartPointer } from '../../../shared/chart/chart-pointer.tsx'
import type { Span } from '../../../shared/chart/time-axis.ts'
import { useChart } from '../../../shared/chart/use-chart.ts'
import type { AlarmMark } from '../curves/alarm-marks.ts'
import styles from './chart.module.css'
import { findMark } from './chart-alarms.ts'
import { listenForZoom } from './chart-gestures.ts'
import { ChartLegend } from './chart-legend.tsx'
import { type ChartLine, MARGINS, type toChartOption } from './chart-option.ts'
import { readCurves } from './curve-reading.ts'
import { savePicture } from './save-picture.ts'
import { useReadings } from './use-chart-theme.ts'

interface ChartProps {
  readonly option: ReturnType<typeof toChartOption>
  readonly lines: readonly ChartLine[]
  readonly alarms: readonly AlarmMark[]
  /** The span that the option shows. */
  readonly span: Span
  readonly heightPx: number
  /** Name of the chart for screen readers. */
  readonly label: string
  /** Called with the new span, Unix ms, when a zoom gesture has ended. */
  readonly onZoom: (from: number, to: number) => void
}

/** A zoom gesture has ended after this pause, ms. */
const ZOOM_PAUSE_MS = 300

/** Hidden curves stay in the chart without points, so that the other series keep their indices. */
function hideLines(option: ChartProps['option'], hidden: ReadonlySet<string>): ChartProps['option'] {
  if (hidden.size === 0) return option
  return {
    ...option,
    series: option.series.map((line) => (hidden.has(line.name) ? { ...line, data: [] } : line)),
  }
}

/** The chart with its legend. Curves can be hidden, and the span is zoomed by wheel and fingers. */
export default function Chart({ option, lines, alarms, span, heightPx, label, onZoom }: ChartProps) {
  const { t } = useTranslation('history')
  const { token } = theme.useToken()
  const shown = useRef(span)
  // The span shown during a gesture, and the span it started from.
  const [gesture, setGesture] = useState<{ readonly of: Span; readonly to: Span }>()
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const { box, chart } = useChart(useMemo(() => hideLines(option, hidden), [option, hidden]))
  const readings = useReadings()
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  const getWhole = useEffectEvent(() => span)
  const zoomed = useEffectEvent(onZoom)
  const show = useEffectEvent((to: Span) => {
    shown.current = to
    setGesture({ of: span, to })
    chart.current?.setOption({ xAxis: option.xAxis.map(() => ({ min: to.from, max: to.to })) })
    clearTimeout(pause.current)
    pause.current = setTimeout(() => zoomed(to.from, to.to), ZOOM_PAUSE_MS)
  })

  useEffect(() => {
    if (!box.current) return
    const stopListening = listenForZoom({
      box: box.current,
      ...MARGINS,
      span: () => shown.current,
      whole: () => getWhole(),
      onChange: (to) => show(to),
    })
    return () => {
      clearTimeout(pause.current)
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
    return found && readings.ofCurves(found)
  }
  const save = () => {
    const drawn = box.current?.querySelector('canvas')
    const seen = lines.filter(({ name }) => !hidden.has(name))
    if (drawn) savePicture(drawn, seen, { paper: token.colorBgContainer, text: token.colorText })
  }
  return (
    <div className={styles.chart}>
      <div className={styles.head}>
        <ChartLegend lines={lines} hidden={hidden} onToggle={toggle} />
        <Button
          type="text"
          size="small"
          icon={<PictureOutlined />}
          title={t('history.picture')}
          aria-label={t('history.picture')}
          data-testid="save-picture"
          onClick={save}
        />
      </div>
      <ChartPointer room={MARGINS} span={gesture?.of === span ? gesture.to : span} read={read}>
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
