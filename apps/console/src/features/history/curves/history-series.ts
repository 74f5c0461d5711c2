import type { DeviceState } from '@isotherm/contract/devices'
import type { bucketSeries } from '@isotherm/contract/endpoints/monitoring/history'
import type { Series } from '@isotherm/contract/endpoints/monitoring/telemetry'
import type { z } from 'zod'
import type { HistoryLevel } from './history-range.ts'

/** One reading of a curve: [instant in Unix ms, value, quality bits]. */
export type Point = Series['points'][number]

/** Minimum and maximum of the readings of a bucket. */
export type Band = readonly [min: number, max: number]

/** One metric of one valve over time: readings, or means of buckets with their ranges. */
export interface Curve extends Series {
  /** Absent for readings. */
  readonly bucket?: Exclude<HistoryLevel, 'raw'>
  /** The range of each point, for buckets. */
  readonly bands?: readonly Band[]
  /** Present if it was measured one year before the instants it is shown at. */
  readonly isYearBefore?: true
  /** Present if it was measured by a device that was replaced: the device that replaced it, and its own serial. */
  readonly replaced?: { readonly by: number; readonly imei: string }
}

type BucketSeries = z.infer<typeof bucketSeries>

/** A curve of bucket means. A bucket without a trusted reading has no point. */
export function toCurve(buckets: BucketSeries, bucket: Exclude<HistoryLevel, 'raw'>): Curve {
  const points: Point[] = []
  const bands: Band[] = []
  const { deviceId, metric, start, avg, min, max } = buckets
  for (const [index, ts] of start.entries()) {
    const mean = avg?.[index]
    if (mean === undefined || mean === null) continue
    points.push([ts, mean, 0])
    bands.push([min?.[index] ?? mean, max?.[index] ?? mean])
  }
  return { deviceId, metric, points, bands, bucket, downsampled: false }
}

/** A curve of the year before, shifted to the shown range. It has no bands, because they would cover the current curve. */
export function toShifted({ bands: _, ...curve }: Curve, toLater: (ts: number) => number): Curve {
  const points = curve.points.map(([ts, value, quality]): Point => [toLater(ts), value, quality])
  return { ...curve, points, isYearBefore: true }
}

export const hasNoPoints = (curves: readonly Curve[]): boolean =>
  curves.every(({ points }) => points.length === 0)

/** The instant of a curve's last point, Unix ms. */
const lastInstant = (series: Series): number => series.points.at(-1)?.[0] ?? Number.NEGATIVE_INFINITY

/**
 * The curves with the newest values of a device appended, if they are newer. Curves of buckets stay unchanged. Returns
 * the same array when nothing is appended, so that nothing renders.
 */
export function appendState(curves: readonly Curve[], state: DeviceState): readonly Curve[] {
  let changed = false
  const next = curves.map((series) => {
    const value = series.deviceId === state.deviceId ? state.metrics[series.metric] : undefined
    if (value === undefined || series.bucket || state.ts <= lastInstant(series)) return series
    changed = true
    const point: Point = [state.ts, value, state.quality]
    return { ...series, points: [...series.points, point] }
  })
  return changed ? next : curves
}

/** One row of the history table: an instant and the value of each metric at that instant. */
export interface HistoryRow {
  readonly ts: number
  readonly deviceId: number
  readonly quality: number
  readonly values: ReadonlyMap<string, number>
  /** The ranges of bucket means, by metric. */
  readonly bands: ReadonlyMap<string, Band>
}

interface GrowingRow extends HistoryRow {
  quality: number
  readonly values: Map<string, number>
  readonly bands: Map<string, Band>
}

/** Table rows of the curves, newest first. Readings of one device and instant share a row. */
export function toHistoryRows(curves: readonly Curve[]): readonly HistoryRow[] {
  const rows = new Map<string, GrowingRow>()
  for (const { deviceId, metric, points, bands } of curves) {
    for (const [index, [ts, value, quality]] of points.entries()) {
      const key = `${deviceId}/${ts}`
      const row = rows.get(key) ?? { ts, deviceId, quality: 0, values: new Map(), bands: new Map() }
      const band = bands?.[index]
      row.values.set(metric, value)
      if (band) row.bands.set(metric, band)
      row.quality |= quality
      rows.set(key, row)
    }
  }
  return [...rows.values()].toSorted((a, b) => b.ts - a.ts || a.deviceId - b.deviceId)
}
