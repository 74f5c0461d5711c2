import type { BalanceTrend } from '@isotherm/contract/balancing/balance-now'
import type { Campaign } from '@isotherm/contract/balancing/campaign'
import {
  type ChartInk,
  toChartBase,
  toMarkSeries,
  toTimeAxis,
  toUnseenAxis,
  toValueAxis,
} from '../../../shared/chart/chart-parts.ts'
import type { Reading } from '../../../shared/chart/chart-pointer.tsx'
import { toRuns } from '../trend-points.ts'

export type TrendPoint = BalanceTrend['points'][number]

/** Colours and texts for the chart. */
export interface TrendStyle extends ChartInk {
  readonly sigma: string
  readonly within: string
  readonly sigmaLabel: string
  readonly withinLabel: string
  readonly campaignLabel: (id: number) => string
  readonly toReading: (point: TrendPoint) => Reading
}

interface TrendData {
  readonly points: readonly TrendPoint[]
  readonly campaigns: readonly Campaign[]
  readonly span: { readonly from: number; readonly to: number }
}

/** Rows of [instant, value], with null in gaps. */
export function toTrendRows(
  points: readonly TrendPoint[],
  toValue: (point: TrendPoint) => number,
): readonly (readonly [number, number | null])[] {
  const runs = toRuns(points)
  return runs.flatMap((run, index) => {
    const rows = run.map((point) => [point.at, toValue(point)] as const)
    const [end, next] = [run.at(-1), runs[index + 1]?.[0]]
    return end && next ? [...rows, [(end.at + next.at) / 2, null] as const] : rows
  })
}

/** Campaigns approved within a span, with their instants. */
export const toMarks = ({ campaigns, span }: Pick<TrendData, 'campaigns' | 'span'>) =>
  campaigns.flatMap(({ id, approvedAt }) =>
    approvedAt !== undefined && approvedAt >= span.from && approvedAt < span.to
      ? [{ id, at: approvedAt }]
      : [],
  )

/** Share of a range without readings at its start above which a note appears. */
const LATE_SHARE = 0.1

/** First instant of points that start well after their span, Unix ms. */
export function findLateStart(
  points: readonly { readonly at: number }[],
  { from, to }: TrendData['span'],
): number | undefined {
  const first = points[0]?.at
  return first !== undefined && first - from > LATE_SHARE * (to - from) ? first : undefined
}

/** Room around the curves. */
export const ROOM = { leftPx: 40, rightPx: 44, topPx: 26, bottomPx: 26 } as const

/** Chart option: σ in K on the left axis from 0, share within 1 K on the right axis, campaigns as marks. */
export function toTrendOption(data: TrendData, look: TrendStyle) {
  const { points, span } = data
  const axis = { ...toValueAxis(look), min: 0 }
  const line = { type: 'line' as const, showSymbol: points.length < 2, emphasis: { disabled: true } }
  return {
    ...toChartBase(look),
    grid: { left: ROOM.leftPx, right: ROOM.rightPx, top: ROOM.topPx, bottom: ROOM.bottomPx },
    xAxis: toTimeAxis(look, span),
    yAxis: [
      { ...axis, name: 'K' },
      { ...axis, name: '%', max: 100, interval: 25, splitLine: { show: false } },
      toUnseenAxis(0),
    ],
    series: [
      {
        ...line,
        name: look.sigmaLabel,
        yAxisIndex: 0,
        data: toTrendRows(points, ({ sigmaReturnK }) => sigmaReturnK),
        lineStyle: { width: 2, color: look.sigma },
        itemStyle: { color: look.sigma },
      },
      {
        ...line,
        name: look.withinLabel,
        yAxisIndex: 1,
        data: toTrendRows(points, ({ withinOneK }) => withinOneK * 100),
        lineStyle: { width: 1.5, color: look.within, type: 'dashed' as const },
        itemStyle: { color: look.within },
      },
      {
        ...toMarkSeries(
          look,
          toMarks(data).map(({ id, at }) => ({ at, text: look.campaignLabel(id) })),
        ),
        yAxisIndex: 2,
      },
    ],
  }
}
