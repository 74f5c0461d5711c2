import type { BucketColumn, BucketLevel } from '@isotherm/contract/endpoints/monitoring/history'

/** [Unix ms, value, quality bits]. */
export type Point = [ts: number, value: number, quality: number]

/** Source of a curve: readings, or rollups by hour or day of the plant. */
export type CurveLevel = 'raw' | 'hour' | 'day'

export interface HistoryQuery {
  readonly deviceIds: readonly number[]
  readonly metricIds: readonly number[]
  /** Unix ms, included. */
  readonly from: number
  /** Unix ms, excluded. */
  readonly to: number
  /** Greatest number of points of a curve. */
  readonly maxPoints: number
}

export interface Curve {
  readonly deviceId: number
  readonly metricId: number
  /** Ascending. */
  readonly points: Point[]
  readonly downsampled: boolean
  readonly level: CurveLevel
}

export interface BucketQuery {
  readonly deviceIds: readonly number[]
  readonly metricIds: readonly number[]
  readonly level: BucketLevel
  readonly columns: readonly BucketColumn[]
  /** Unix ms. Buckets that start in this range, `to` excluded. */
  readonly from: number
  readonly to: number
}

/** Values of the requested columns, one per bucket; null if all readings of a bucket are doubtful. */
export interface Buckets extends Readonly<Partial<Record<BucketColumn, (number | null)[]>>> {
  readonly deviceId: number
  readonly metricId: number
  /** Unix ms, ascending. */
  readonly start: number[]
}

export interface SpreadQuery {
  /** Undefined: all devices. */
  readonly deviceIds: readonly number[] | undefined
  readonly metricId: number
  /** Whether the spread is of the increase of a counter per device and bucket, instead of the mean. */
  readonly isCounter: boolean
  readonly level: Exclude<BucketLevel, 'hour'>
  readonly from: number
  readonly to: number
}
