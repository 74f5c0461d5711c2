import { bucketMs } from '../curves/history-range.ts'
import type { Curve } from '../curves/history-series.ts'

/** A line is broken where this many buckets' lengths lie between two: nothing is known of what is left out. */
const GAP_BUCKETS = 1.5

type PointRow = readonly (number | null)[]

/** Rows with one that has no value put wherever buckets are missing, so that no line is drawn across. */
function withGaps(curve: Curve, toRow: (index: number) => PointRow, noValue: readonly null[]): PointRow[] {
  const { points, bucket } = curve
  const longestMs = bucket ? bucketMs[bucket] * GAP_BUCKETS : Number.POSITIVE_INFINITY
  return points.flatMap(([ts], index) => {
    const before = points[index - 1]?.[0] ?? ts
    return ts - before > longestMs ? [[before + 1, ...noValue], toRow(index)] : [toRow(index)]
  })
}

/** What the chart draws of a curve: instant, value, quality and, of a mean, what it ranged over. */
export const toPointRows = (curve: Curve): PointRow[] =>
  withGaps(curve, (index) => [...(curve.points[index] ?? []), ...(curve.bands?.[index] ?? [])], [null])

const DOT_PX = 4

/** A mean that stands alone between gaps is no line: it is drawn as a dot, px. */
export function toDotSize(rows: readonly PointRow[]) {
  const isGap = (row: PointRow | undefined): boolean => typeof row?.[1] !== 'number'
  return (_: unknown, { dataIndex }: { readonly dataIndex: number }): number =>
    isGap(rows[dataIndex - 1]) && isGap(rows[dataIndex + 1]) ? DOT_PX : 0
}

/** What a line in the chart has to do with its band. */
interface BandedLine {
  readonly panel: number
  readonly name: string
  readonly color: string
  readonly curve: Curve
}

/** The band from lowest to highest behind the line of means: its height stands on an unseen line of the lowest. */
export function toBandSeries({ panel, name, color, curve }: BandedLine, index: number) {
  const { bands } = curve
  if (!bands) return []
  const toBand = (at: number, pick: (min: number, max: number) => number): PointRow => {
    const [min, max] = bands[at] ?? [0, 0]
    return [curve.points[at]?.[0] ?? 0, pick(min, max)]
  }
  const common = {
    type: 'line' as const,
    name,
    xAxisIndex: panel,
    yAxisIndex: panel,
    stack: `band-${index}`,
    // Values below zero stand on each other too.
    stackStrategy: 'all' as const,
    silent: true,
    symbol: 'none',
    lineStyle: { opacity: 0 },
    itemStyle: { color },
    emphasis: { disabled: true },
  }
  return [
    { ...common, data: withGaps(curve, (at) => toBand(at, (min) => min), [null]) },
    {
      ...common,
      areaStyle: { color, opacity: 0.18 },
      data: withGaps(curve, (at) => toBand(at, (min, max) => max - min), [null]),
    },
  ]
}
