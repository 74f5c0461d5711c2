import type { Command } from '@isotherm/contract/command'
import { isMetricName, type MetricName, metrics } from '@isotherm/contract/metrics'
import {
  type ChartInk,
  type Mark,
  toChartBase,
  toMarkSeries,
  toTimeAxis,
  toUnseenAxis,
  toValueAxis,
} from '../../../shared/chart/chart-parts.ts'
import type { AlarmMark } from '../curves/alarm-marks.ts'
import type { Curve } from '../curves/history-series.ts'
import { type AlarmTheme, toAlarmSeries } from './chart-alarms.ts'
import { toBandSeries, toDotSize, toPointRows } from './chart-band.ts'

/** Colours and texts of the chart, for the current theme and language. */
export interface ChartTheme extends AlarmTheme, ChartInk {
  /** Colour of a metric while one valve is shown. */
  readonly metricColor: (metric: MetricName) => string
  /** Colour of the n-th valve while several are compared. */
  readonly deviceColor: (index: number) => string
  readonly metricLabel: (metric: MetricName) => string
  readonly deviceLabel: (deviceId: number) => string
  /** Name of a curve of the year before. */
  readonly yearBeforeLabel: (label: string) => string
  /** Name of a curve of a replaced device. */
  readonly replacedLabel: (label: string, imei: string) => string
  /** Text at the instant of a replacement. */
  readonly replacedMark: string
}

export interface ChartData {
  readonly curves: readonly Curve[]
  readonly commands: readonly Command[]
  readonly alarms: readonly AlarmMark[]
  /** Instants inside the span at which devices were replaced, Unix ms. */
  readonly replacedAt: readonly number[]
  readonly span: { readonly from: number; readonly to: number }
}

/** One panel of the chart: the metrics that share a unit, and so an axis. */
export interface Panel {
  readonly unit: string
  readonly metrics: readonly MetricName[]
}

/** Metrics grouped by unit, in order of first appearance. Each unit has its own axis. */
export function toPanels(names: readonly MetricName[]): readonly Panel[] {
  const units = [...new Set(names.map((name) => metrics[name].unit))]
  return units.map((unit) => ({ unit, metrics: names.filter((name) => metrics[name].unit === unit) }))
}

/** Dash patterns distinguish the metrics of a panel when colours distinguish the valves. */
const DASHES = ['solid', 'dashed', 'dotted'] as const

/** Margins around the panels. */
export const MARGINS = { leftPx: 52, rightPx: 16, topPx: 26, bottomPx: 28 } as const
const GAP_PX = 30

/** Top and height of each panel, px, in a chart of `heightPx`. */
export function toPanelBoxes(
  count: number,
  heightPx: number,
): readonly { readonly top: number; readonly height: number }[] {
  const height = Math.max(
    40,
    (heightPx - MARGINS.topPx - MARGINS.bottomPx - GAP_PX * (count - 1)) / Math.max(1, count),
  )
  return Array.from({ length: count }, (_, index) => ({
    top: MARGINS.topPx + index * (height + GAP_PX),
    height,
  }))
}

/** A curve as the chart draws it. `panel` is the index of its panel. */
export interface ChartLine {
  readonly panel: number
  readonly name: string
  readonly color: string
  readonly dash: (typeof DASHES)[number]
  readonly metric: MetricName
  readonly curve: Curve
}

/** The device that a curve is drawn for: a replaced device has its curve as a part of the curve of its replacement. */
const toShownDevice = ({ deviceId, replaced }: Curve): number => replaced?.by ?? deviceId

export function toLines(data: ChartData, theme: ChartTheme): readonly ChartLine[] {
  const deviceIds = [...new Set(data.curves.map(toShownDevice))]
  const names = [...new Set(data.curves.map((series) => series.metric))].filter(isMetricName)
  const panels = toPanels(names)
  const alone = deviceIds.length <= 1
  return data.curves.flatMap((series) => {
    if (!isMetricName(series.metric)) return []
    const metric = series.metric
    const panel = panels.findIndex((candidate) => candidate.metrics.includes(metric))
    const order = panels[panel]?.metrics.indexOf(metric) ?? 0
    const label = theme.metricLabel(metric)
    const device = toShownDevice(series)
    const own = alone ? label : `${theme.deviceLabel(device)} · ${label}`
    const name = series.replaced ? theme.replacedLabel(own, series.replaced.imei) : own
    return [
      {
        panel,
        metric,
        curve: series,
        name: series.isYearBefore ? theme.yearBeforeLabel(name) : name,
        color: alone ? theme.metricColor(metric) : theme.deviceColor(deviceIds.indexOf(device)),
        dash: (alone ? DASHES[metric === 'valve.target' ? 1 : 0] : DASHES[order % DASHES.length]) ?? 'solid',
      },
    ]
  })
}

/** The ECharts option: stacked panels, one time axis, command marks across all panels. */
export function toChartOption(data: ChartData, theme: ChartTheme, heightPx: number) {
  const names = [...new Set(data.curves.map((series) => series.metric))].filter(isMetricName)
  const panels = toPanels(names)
  const boxes = toPanelBoxes(panels.length, heightPx)
  const lines = toLines(data, theme)
  const last = panels.length - 1
  const time = toTimeAxis(theme, data.span)
  const hasAlarms = data.alarms.length > 0 && panels.length > 0
  const marks = data.commands.filter(
    (command) => command.createdAt >= data.span.from && command.createdAt < data.span.to,
  )
  const hasMarks = marks.length + data.replacedAt.length > 0
  return {
    ...toChartBase(theme),
    grid: boxes.map((box) => ({
      left: MARGINS.leftPx,
      right: MARGINS.rightPx,
      top: box.top,
      height: box.height,
    })),
    xAxis: panels.map((_, index) => ({
      ...time,
      gridIndex: index,
      axisTick: { show: index === last },
      axisLabel: { ...time.axisLabel, show: index === last },
      splitLine: { show: true, lineStyle: { color: theme.line, opacity: 0.4 } },
    })),
    yAxis: [
      ...panels.map((panel, index) => ({
        ...toValueAxis(theme),
        gridIndex: index,
        name: panel.unit,
        nameLocation: 'end' as const,
        nameGap: 8,
        nameTextStyle: { color: theme.faint, align: 'right' as const },
        scale: panel.unit !== '%',
        ...(panel.unit === '%' ? { min: 0, max: 100, interval: 25 } : {}),
        axisLine: { show: false },
      })),
      ...(hasAlarms ? [toUnseenAxis(0)] : []),
      ...(hasMarks ? panels.map((_, index) => toUnseenAxis(index)) : []),
    ],
    // A line has the same index here as in `lines`; the bands come after all lines.
    series: [
      ...lines.map(toLineSeries),
      ...lines.flatMap(toBandSeries),
      ...(hasMarks
        ? panels.map((_, index) => ({
            ...toMarkSeries(theme, [
              ...toCommandMarks(marks, data.span, index === 0),
              ...toReplacedMarks(data, index === 0 ? theme.replacedMark : undefined),
            ]),
            xAxisIndex: index,
            yAxisIndex: panels.length + (hasAlarms ? 1 : 0) + index,
          }))
        : []),
      ...(hasAlarms ? [toAlarmSeries(data.alarms, panels.length, theme)] : []),
    ],
  }
}

/** Curves of the year before, and of replaced devices, are drawn paler. */
export const toOpacity = ({ curve }: Pick<ChartLine, 'curve'>): number =>
  curve.isYearBefore ? 0.55 : curve.replaced ? 0.75 : 1

function toLineSeries(line: ChartLine) {
  const rows = toPointRows(line.curve)
  const isStepped = line.metric.startsWith('valve.') && !line.curve.bucket
  return {
    type: 'line' as const,
    name: line.name,
    xAxisIndex: line.panel,
    yAxisIndex: line.panel,
    data: rows,
    showSymbol: line.curve.bucket !== undefined,
    symbol: 'circle',
    symbolSize: toDotSize(rows),
    sampling: 'minmax' as const,
    // A valve position is constant until the next reading; other values change between two readings.
    step: isStepped ? ('end' as const) : (false as const),
    lineStyle: { width: 1.6, color: line.color, type: line.dash, opacity: toOpacity(line) },
    itemStyle: { color: line.color },
    emphasis: { disabled: true },
  }
}

/** Share of the span that the text of a mark needs. Closer marks get no text. */
const LABEL_SHARE = 0.07

/** The marks that get a text. The marks may come in any order. */
export function toLabelled(marks: readonly Command[], span: ChartData['span']): ReadonlySet<Command> {
  const gapMs = (span.to - span.from) * LABEL_SHARE
  const labelled = new Set<Command>()
  let last = Number.NEGATIVE_INFINITY
  for (const mark of marks.toSorted((a, b) => a.createdAt - b.createdAt)) {
    if (mark.createdAt - last < gapMs) continue
    labelled.add(mark)
    last = mark.createdAt
  }
  return labelled
}

/** Alignment of the text of a mark: centred, except near the chart edges, where it would be cut off. */
export function toMarkAlign(at: number, { from, to }: ChartData['span']): 'left' | 'center' | 'right' {
  const share = (at - from) / (to - from)
  if (share > 1 - LABEL_SHARE) return 'right'
  return share < LABEL_SHARE / 2 ? 'left' : 'center'
}

/** Marks have texts in the first panel only. */
function toCommandMarks(
  commands: readonly Command[],
  span: ChartData['span'],
  isFirstPanel: boolean,
): readonly Mark[] {
  const labelled = isFirstPanel ? toLabelled(commands, span) : new Set<Command>()
  return commands.map((command) => ({
    at: command.createdAt,
    align: toMarkAlign(command.createdAt, span),
    ...(labelled.has(command) ? { text: toMarkText(command) } : {}),
  }))
}

const toReplacedMarks = ({ replacedAt, span }: ChartData, text: string | undefined): readonly Mark[] =>
  replacedAt.map((at) => ({ at, align: toMarkAlign(at, span), ...(text !== undefined && { text }) }))

/** Text of a command mark, for example 35→60%. */
export const toMarkText = (command: Command): string =>
  command.previousPct === undefined
    ? `→${Math.round(command.openingPct ?? 0)}%`
    : `${Math.round(command.previousPct)}→${Math.round(command.openingPct ?? 0)}%`
