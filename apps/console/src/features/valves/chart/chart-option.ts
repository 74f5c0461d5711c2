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
import { type AlarmLook, toAlarmSeries } from './chart-alarms.ts'
import { toBandSeries, toDotSize, toPointRows } from './chart-band.ts'

/** Colours and texts the chart needs; it knows neither theme nor language itself. */
export interface ChartLook extends AlarmLook, ChartInk {
  /** Colour of a metric while one valve is shown. */
  readonly metricColor: (metric: MetricName) => string
  /** Colour of the n-th valve while several are compared. */
  readonly deviceColor: (index: number) => string
  readonly metricLabel: (metric: MetricName) => string
  readonly deviceLabel: (deviceId: number) => string
  /** What a curve of the year before is called. */
  readonly yearBeforeLabel: (label: string) => string
}

export interface ChartData {
  readonly curves: readonly Curve[]
  readonly commands: readonly Command[]
  readonly alarms: readonly AlarmMark[]
  readonly span: { readonly from: number; readonly to: number }
}

/** One band of the chart: the metrics that share a unit and so an axis. */
export interface Panel {
  readonly unit: string
  readonly metrics: readonly MetricName[]
}

/** Metrics grouped by unit, in the order in which the units first appear: each unit has its own axis. */
export function toPanels(names: readonly MetricName[]): readonly Panel[] {
  const units = [...new Set(names.map((name) => metrics[name].unit))]
  return units.map((unit) => ({ unit, metrics: names.filter((name) => metrics[name].unit === unit) }))
}

/** Dash patterns that tell the metrics of one panel apart while colour tells the valves apart. */
const DASHES = ['solid', 'dashed', 'dotted'] as const

/** Room around the panels. */
export const ROOM = { leftPx: 52, rightPx: 16, topPx: 26, bottomPx: 28 } as const
const GAP_PX = 30

/** Vertical place of each panel in a chart of `heightPx`. */
export function toPanelBoxes(
  count: number,
  heightPx: number,
): readonly { readonly top: number; readonly height: number }[] {
  const height = Math.max(
    40,
    (heightPx - ROOM.topPx - ROOM.bottomPx - GAP_PX * (count - 1)) / Math.max(1, count),
  )
  return Array.from({ length: count }, (_, index) => ({
    top: ROOM.topPx + index * (height + GAP_PX),
    height,
  }))
}

/** A curve as the chart draws it; `panel` is the index of its band. */
export interface ChartLine {
  readonly panel: number
  readonly name: string
  readonly color: string
  readonly dash: (typeof DASHES)[number]
  readonly metric: MetricName
  readonly curve: Curve
}

export function toLines(data: ChartData, look: ChartLook): readonly ChartLine[] {
  const deviceIds = [...new Set(data.curves.map((series) => series.deviceId))]
  const names = [...new Set(data.curves.map((series) => series.metric))].filter(isMetricName)
  const panels = toPanels(names)
  const alone = deviceIds.length <= 1
  return data.curves.flatMap((series) => {
    if (!isMetricName(series.metric)) return []
    const metric = series.metric
    const panel = panels.findIndex((candidate) => candidate.metrics.includes(metric))
    const order = panels[panel]?.metrics.indexOf(metric) ?? 0
    const label = look.metricLabel(metric)
    const name = alone ? label : `${look.deviceLabel(series.deviceId)} · ${label}`
    return [
      {
        panel,
        metric,
        curve: series,
        name: series.isYearBefore ? look.yearBeforeLabel(name) : name,
        color: alone ? look.metricColor(metric) : look.deviceColor(deviceIds.indexOf(series.deviceId)),
        dash: (alone ? DASHES[metric === 'valve.target' ? 1 : 0] : DASHES[order % DASHES.length]) ?? 'solid',
      },
    ]
  })
}

/** The whole option of the chart: panels under one another, one time axis, command marks across all panels. */
export function toChartOption(data: ChartData, look: ChartLook, heightPx: number) {
  const names = [...new Set(data.curves.map((series) => series.metric))].filter(isMetricName)
  const panels = toPanels(names)
  const boxes = toPanelBoxes(panels.length, heightPx)
  const lines = toLines(data, look)
  const last = panels.length - 1
  const time = toTimeAxis(look, data.span)
  const hasAlarms = data.alarms.length > 0 && panels.length > 0
  const marks = data.commands.filter(
    (command) => command.createdAt >= data.span.from && command.createdAt < data.span.to,
  )
  return {
    ...toChartBase(look),
    grid: boxes.map((box) => ({
      left: ROOM.leftPx,
      right: ROOM.rightPx,
      top: box.top,
      height: box.height,
    })),
    xAxis: panels.map((_, index) => ({
      ...time,
      gridIndex: index,
      axisTick: { show: index === last },
      axisLabel: { ...time.axisLabel, show: index === last },
      splitLine: { show: true, lineStyle: { color: look.line, opacity: 0.4 } },
    })),
    yAxis: [
      ...panels.map((panel, index) => ({
        ...toValueAxis(look),
        gridIndex: index,
        name: panel.unit,
        nameLocation: 'end' as const,
        nameGap: 8,
        nameTextStyle: { color: look.faint, align: 'right' as const },
        scale: panel.unit !== '%',
        ...(panel.unit === '%' ? { min: 0, max: 100, interval: 25 } : {}),
        axisLine: { show: false },
      })),
      ...(hasAlarms ? [toUnseenAxis(0)] : []),
      ...(marks.length > 0 ? panels.map((_, index) => toUnseenAxis(index)) : []),
    ],
    // A line has the same place here as in `lines`; their bands come after all of them.
    series: [
      ...lines.map(toLineSeries),
      ...lines.flatMap(toBandSeries),
      ...(marks.length > 0
        ? panels.map((_, index) => ({
            ...toMarkSeries(look, toCommandMarks(marks, data.span, index === 0)),
            xAxisIndex: index,
            yAxisIndex: panels.length + (hasAlarms ? 1 : 0) + index,
          }))
        : []),
      ...(hasAlarms ? [toAlarmSeries(data.alarms, panels.length, look)] : []),
    ],
  }
}

/** What was a year before stands back behind what is. */
export const toOpacity = ({ curve }: Pick<ChartLine, 'curve'>): number => (curve.isYearBefore ? 0.55 : 1)

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
    // A position holds until the next reading; a temperature or a mean moves between two.
    step: isStepped ? ('end' as const) : (false as const),
    lineStyle: { width: 1.6, color: line.color, type: line.dash, opacity: toOpacity(line) },
    itemStyle: { color: line.color },
    emphasis: { disabled: true },
  }
}

/** Share of the span that a mark's text needs, so that the next one does not run into it. */
const LABEL_SHARE = 0.07

/** The marks whose text has room, of marks in any order. */
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

/** A mark's text is centred over it, save near an edge of the chart, where half of it would be cut off. */
export function toMarkAlign(at: number, { from, to }: ChartData['span']): 'left' | 'center' | 'right' {
  const share = (at - from) / (to - from)
  if (share > 1 - LABEL_SHARE) return 'right'
  return share < LABEL_SHARE / 2 ? 'left' : 'center'
}

/** Only in the first panel have marks texts. */
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

/** What a command's mark says: 35→60%. */
export const toMarkText = (command: Command): string =>
  command.previousPct === undefined
    ? `→${Math.round(command.openingPct ?? 0)}%`
    : `${Math.round(command.previousPct)}→${Math.round(command.openingPct ?? 0)}%`
