import type { MetricName } from '@isotherm/contract/metrics'
import { bucketMs } from '../curves/history-range.ts'
import type { Band, Curve, Point } from '../curves/history-series.ts'
import type { ChartLine } from './chart-option.ts'

/** The value of a curve at an instant. */
export interface CurveReading {
  readonly label: string
  readonly color: string
  readonly metric: MetricName
  readonly value: number
  readonly quality: number
  /** Minimum and maximum, for a mean. */
  readonly band: Band | undefined
}

/** Index of the point nearest to an instant. The points are in time order. */
function findNearestIndex(points: readonly Point[], at: number): number {
  let [low, high] = [0, points.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((points[middle]?.[0] ?? at) < at) low = middle + 1
    else high = middle
  }
  const distanceMs = (index: number) => Math.abs((points[index]?.[0] ?? Number.POSITIVE_INFINITY) - at)
  return distanceMs(low - 1) <= distanceMs(low) ? low - 1 : low
}

/** The point for an instant. A mean is used for its own bucket and the neighbouring ones only. */
function findPoint({ points, bands, bucket }: Curve, at: number) {
  const index = findNearestIndex(points, at)
  const point = points[index]
  const reachMs = bucket ? bucketMs[bucket] : Number.POSITIVE_INFINITY
  return point && Math.abs(point[0] - at) <= reachMs ? { point, band: bands?.[index] } : undefined
}

/**
 * The values of the curves at an instant, the newest instant among their points, and whether they are values of whole
 * days; undefined if no curve has a value.
 */
export function readCurves(
  lines: readonly ChartLine[],
  at: number,
): { readonly rows: readonly CurveReading[]; readonly ts: number; readonly isDaily: boolean } | undefined {
  let ts = Number.NEGATIVE_INFINITY
  const rows = lines.flatMap(({ name, color, metric, curve }): CurveReading[] => {
    const found = findPoint(curve, at)
    if (!found) return []
    const [instant, value, quality] = found.point
    ts = Math.max(ts, instant)
    return [{ label: name, color, metric, value, quality, band: found.band }]
  })
  const isDaily = lines.some(({ curve }) => curve.bucket === 'day')
  return rows.length > 0 ? { rows, ts, isDaily } : undefined
}
