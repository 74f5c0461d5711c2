import type { BalanceTrend, Campaign } from '@isotherm/contract/balancing'

export type TrendPoint = BalanceTrend['points'][number]

/** Colours and texts the chart needs; it knows neither theme nor language itself. */
export interface TrendLook {
  readonly text: string
  readonly faint: string
  readonly line: string
  readonly surface: string
  readonly sigma: string
  readonly within: string
  readonly mark: string
  readonly sigmaLabel: string
  readonly withinLabel: string
  readonly campaignLabel: (id: number) => string
  readonly tooltip: (point: TrendPoint) => HTMLElement
}

interface TrendData {
  readonly points: readonly TrendPoint[]
  readonly campaigns: readonly Campaign[]
  readonly span: { readonly from: number; readonly to: number }
}

/** A gap longer than this many usual steps is not bridged by a line. */
const GAP_STEPS = 3

/** Rows of [instant, value], with a hole where nothing was measured for some time. */
export function toTrendRows(
  points: readonly TrendPoint[],
  toValue: (point: TrendPoint) => number,
): readonly (readonly [number, number | null])[] {
  const steps = points.slice(1).map((point, index) => point.at - (points[index]?.at ?? point.at))
  const usual = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0
  return points.flatMap((point, index) => {
    const before = points[index - 1]
    const row = [point.at, toValue(point)] as const
    const isAfterGap = before !== undefined && usual > 0 && point.at - before.at > GAP_STEPS * usual
    return isAfterGap ? [[(before.at + point.at) / 2, null] as const, row] : [row]
  })
}

/** The campaigns that were approved within a span, each at its instant. */
export const toMarks = ({ campaigns, span }: Pick<TrendData, 'campaigns' | 'span'>) =>
  campaigns.flatMap(({ id, approvedAt }) =>
    approvedAt !== undefined && approvedAt >= span.from && approvedAt < span.to
      ? [{ id, at: approvedAt }]
      : [],
  )

/** The point nearest to an instant; undefined where there is none. */
export const findNearest = (points: readonly TrendPoint[], at: number): TrendPoint | undefined =>
  points.reduce<TrendPoint | undefined>(
    (best, point) => (best && Math.abs(best.at - at) <= Math.abs(point.at - at) ? best : point),
    undefined,
  )

/** What the chart library hands to a tooltip of an axis: the instant under the pointer, if it can be read. */
export function readAxisInstant(params: unknown): number | undefined {
  const [first]: readonly unknown[] = Array.isArray(params) ? params : []
  if (typeof first !== 'object' || first === null || !('axisValue' in first)) return undefined
  return typeof first.axisValue === 'number' ? first.axisValue : undefined
}

/** The whole option: σ on the left in K from nought, the share within 1 K on the right, campaigns as marks. */
export function toTrendOption(data: TrendData, look: TrendLook) {
  const { points, span } = data
  const axis = {
    type: 'value' as const,
    axisLabel: { color: look.faint },
    nameTextStyle: { color: look.faint },
    splitNumber: 3,
    min: 0,
  }
  const line = { type: 'line' as const, showSymbol: points.length < 2, emphasis: { disabled: true } }
  return {
    animation: false,
    textStyle: { color: look.text, fontFamily: 'inherit' },
    grid: { left: 40, right: 44, top: 26, bottom: 26 },
    tooltip: {
      trigger: 'axis' as const,
      confine: true,
      backgroundColor: look.surface,
      borderColor: look.line,
      textStyle: { color: look.text, fontSize: 12 },
      formatter: (params: unknown) => {
        const at = readAxisInstant(params)
        const point = at === undefined ? undefined : findNearest(points, at)
        return point ? look.tooltip(point) : ''
      },
    },
    xAxis: {
      type: 'time' as const,
      min: span.from,
      max: span.to,
      axisLine: { lineStyle: { color: look.line } },
      axisLabel: { color: look.faint, hideOverlap: true },
      axisPointer: { label: { show: false }, lineStyle: { color: look.faint } },
    },
    yAxis: [
      { ...axis, name: 'K', splitLine: { lineStyle: { color: look.line, opacity: 0.6 } } },
      { ...axis, name: '%', max: 100, interval: 25, splitLine: { show: false } },
    ],
    series: [
      {
        ...line,
        name: look.sigmaLabel,
        yAxisIndex: 0,
        data: toTrendRows(points, ({ sigmaReturnK }) => sigmaReturnK),
        lineStyle: { width: 2, color: look.sigma },
        itemStyle: { color: look.sigma },
        markLine: {
          silent: true,
          symbol: 'none',
          lineStyle: { color: look.mark, type: 'dashed' as const, width: 1 },
          label: { color: look.mark, fontSize: 11, position: 'end' as const },
          data: toMarks(data).map(({ id, at }) => ({
            xAxis: at,
            label: { formatter: look.campaignLabel(id) },
          })),
        },
      },
      {
        ...line,
        name: look.withinLabel,
        yAxisIndex: 1,
        data: toTrendRows(points, ({ withinOneK }) => withinOneK * 100),
        lineStyle: { width: 1.5, color: look.within, type: 'dashed' as const },
        itemStyle: { color: look.within },
      },
    ],
  }
}
