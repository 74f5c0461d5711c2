import { bucketMs } from '../curves/history-range.ts'
import type { Curve } from '../curves/history-series.ts'

/** The line is interrupted if two points are further apart than this many bucket lengths: data is missing between them. */
const GAP_BUCKETS = 1.5

type PointRow = readonly (number | null)[]

/** Rows with an empty row wherever buckets are missing, so that no line is drawn across the gap. */
function withGaps(curve: Curve, toRow: (index: number) => PointRow, noValue: readonly null[]): PointRow[] {
  const { points, bucket } = curve
  const longestMs = bucket ? bucketMs[bucket] * GAP_BUCKETS : Number.POSITIVE_INFINITY
  return points.flatMap(([ts], index) => {
    const before = points[index - 1]?.[0] ?? ts
    return ts - before > longestMs ? [[before + 1, ...noValue], toRow(index)] : [toRow(index)]
  })
}

/** Chart rows of a curve: instant, value, quality and, for means, minimum and maximum. */
export const toPointRows = (curve: Curve): PointRow[] =>
  withGaps(curve, (index) => [...(curve.points[index] ?? []), ...(curve.bands?.[index] ?? [])], [null])

const DOT_PX = 4

/** Symbol size of each point, px: a single mean between two gaps is drawn as a dot. */
export function toDotSize(rows: readonly PointRow[]) {
  const isGap = (row: PointRow | undefined): boolean => typeof row?.[1] !== 'number'
  return (_: unknown, { dataIndex }: { readonly dataIndex: number }): number =>
    isGap(rows[dataIndex - 1]) && isGap(rows[dataIndex + 1]) ? DOT_PX : 0
}

/** The fields of a chart line that its band needs. */
interface BandedLine {
  readonly panel: number
  readonly name: string
  readonly color: string
  readonly curve: Curve
}

/** The band from minimum to maximum behind the line of means: an invisible line of the minimum, and the range stacked on it. */
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
    // Stacks negative values too.
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
