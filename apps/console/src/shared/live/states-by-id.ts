import type { DeviceState } from '@isotherm/contract/devices'

/** Newest states by device id, for lookups; a plain Map satisfies it. */
export type StateLookup = Pick<ReadonlyMap<number, DeviceState>, 'get' | 'has'>

/** Immutable snapshot of states. An update creates a new snapshot that shares unchanged parts. */
export interface StatesById extends StateLookup {
  /** Rows without order. */
  readonly list: () => readonly DeviceState[]
  /** A new snapshot with these rows replaced. */
  readonly with: (rows: readonly DeviceState[]) => StatesById
}

type Bucket = ReadonlyMap<number, DeviceState>

/**
 * Number of buckets. With 100,000 devices, a changed row copies the 200 rows of its bucket. Copying all rows ten times a
 * second would take most of a frame.
 */
const BUCKETS = 512
const noStates: Bucket = new Map()

function replace(buckets: readonly Bucket[], rows: readonly DeviceState[]): readonly Bucket[] {
  const next = [...buckets]
  const own = new Map<number, Map<number, DeviceState>>()
  for (const row of rows) {
    const place = row.deviceId % BUCKETS
    let bucket = own.get(place)
    if (!bucket) {
      bucket = new Map(next[place])
      own.set(place, bucket)
      next[place] = bucket
    }
    bucket.set(row.deviceId, row)
  }
  return next
}

const fromBuckets = (buckets: readonly Bucket[]): StatesById => {
  const bucketOf = (deviceId: number): Bucket => buckets[deviceId % BUCKETS] ?? noStates
  return {
    get: (deviceId) => bucketOf(deviceId).get(deviceId),
    has: (deviceId) => bucketOf(deviceId).has(deviceId),
    list: () => buckets.flatMap((bucket) => [...bucket.values()]),
    with: (rows) => fromBuckets(replace(buckets, rows)),
  }
}

export const noStatesById = fromBuckets(Array.from({ length: BUCKETS }, () => noStates))
