import type { DeviceState } from '@isotherm/contract/devices'

/** Newest states by device id; a plain map will do where they are only looked up. */
export type StateLookup = Pick<ReadonlyMap<number, DeviceState>, 'get' | 'has'>

/** States as they are at one time: what comes later makes another of them, which shares what did not change. */
export interface StatesById extends StateLookup {
  /** In no order. */
  readonly list: () => readonly DeviceState[]
  /** With rows in place of what was known of their devices. */
  readonly with: (rows: readonly DeviceState[]) => StatesById
}

type Bucket = ReadonlyMap<number, DeviceState>

/** Of 100,000 devices a row that changes has 200 copied, not all: ten times a second all would take most of a frame. */
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
