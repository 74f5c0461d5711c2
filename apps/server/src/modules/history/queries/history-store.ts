import type { BucketColumn, BucketLevel, Spread } from '@isotherm/contract/endpoints/history'

/** [Unix ms, value, quality bits]. */
export type Point = [ts: number, value: number, quality: number]

/** What answered: the readings, or what was made of them by hour or local day. */
export type CurveLevel = 'raw' | 'hour' | 'day'

export interface HistoryQuery {
  readonly deviceIds: readonly number[]
  readonly metricIds: readonly number[]
  /** Unix ms, included. */
  readonly from: number
  /** Unix ms, excluded. */
  readonly to: number
  /** Most points a curve may have. */
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
  /** Buckets that begin from here on and before `to`, Unix ms. */
  readonly from: number
  readonly to: number
}

/** The columns asked for, of equal length, a place a bucket; no value where all readings are doubtful. */
export interface Buckets extends Readonly<Partial<Record<BucketColumn, (number | null)[]>>> {
  readonly deviceId: number
  readonly metricId: number
  /** Unix ms, ascending. */
  readonly start: number[]
}

export interface SpreadQuery {
  /** undefined for all there are. */
  readonly deviceIds: readonly number[] | undefined
  readonly metricId: number
  /** What is looked at is how much each device counted in a bucket, not its mean. */
  readonly isCounter: boolean
  readonly level: Exclude<BucketLevel, 'hour'>
  readonly from: number
  readonly to: number
}

/** What was read and what was made of it. Every method rejects when the store is away. */
export interface HistoryStore {
  readCurves(query: HistoryQuery): Promise<readonly Curve[]>
  /** Of devices and metrics that have any. */
  readBuckets(query: BucketQuery): Promise<readonly Buckets[]>
  readSpread(query: SpreadQuery): Promise<readonly Spread[]>
}
