import type { MetricName } from '@isotherm/contract/metrics'
import { bucketMs } from '../curves/history-range.ts'
import type { Band, Curve, Point } from '../curves/history-series.ts'
import type { ChartLine } from './chart-option.ts'

/** What a curve says of an instant. */
export interface CurveReading {
  readonly label: string
  readonly color: string
  readonly metric: MetricName
  readonly value: number
  readonly quality: number
  /** What it ranged over, where it is a mean. */
  readonly band: Band | undefined
}

/** Index of the point nearest to an instant, of points in the order of time. */
function findNearestIndex(points: readonly Point[], at: number): number {
  let [low, high] = [0, points.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((points[middle]?.[0] ?? at) < at) low = middle + 1
    else high = middle
  }
  const apart = (index: number) => Math.abs((points[index]?.[0] ?? Number.POSITIVE_INFINITY) - at)
  return apart(low - 1) <= apart(low) ? low - 1 : low
}

/** The point that tells of an instant. A mean tells of no more than its bucket and those beside it. */
function findPoint({ points, bands, bucket }: Curve, at: number) {
  const index = findNearestIndex(points, at)
  const point = points[index]
  const reachMs = bucket ? bucketMs[bucket] : Number.POSITIVE_INFINITY
  return point && Math.abs(point[0] - at) <= reachMs ? { point, band: bands?.[index] } : undefined
}

/** What curves say of an instant, and the newest of what they go by; undefined where none says anything. */
export function readCurves(
  lines: readonly ChartLine[],
  at: number,
): { readonly rows: readonly CurveReading[]; readonly ts: number } | undefined {
  let ts = Number.NEGATIVE_INFINITY
  const rows = lines.flatMap(({ name, color, metric, curve }): CurveReading[] => {
    const found = findPoint(curve, at)
    if (!found) return []
    const [instant, value, quality] = found.point
    ts = Math.max(ts, instant)
    return [{ label: name, color, metric, value, quality, band: found.band }]
  })
  return rows.length > 0 ? { rows, ts } : undefined
}
