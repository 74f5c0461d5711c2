import { setImmediate } from 'node:timers/promises'
import { DEVICES_PER_SLICE } from '../../devices/index.ts'
import type { FindValue } from './state-filter.ts'

export interface Ranked {
  readonly ids: readonly number[]
  /** Number of matching devices on all pages. */
  readonly total: number
}

/** A heap of the best `limit` devices by value, the worst on top. Of equal values the lowest id is best. */
function createBest(limit: number, desc: boolean) {
  const ids: number[] = []
  const values: number[] = []
  const sign = desc ? -1 : 1

  /** Whether the device at `left` ranks behind the device at `right`. */
  function isWorse(left: number, right: number): boolean {
    const [leftValue = 0, rightValue = 0] = [values[left], values[right]]
    return leftValue === rightValue ? (ids[left] ?? 0) > (ids[right] ?? 0) : leftValue > rightValue
  }

  function swap(left: number, right: number): void {
    const [id = 0, value = 0] = [ids[left], values[left]]
    ids[left] = ids[right] ?? 0
    values[left] = values[right] ?? 0
    ids[right] = id
    values[right] = value
  }

  function rise(from: number): void {
    for (let at = from; at > 0; ) {
      const above = (at - 1) >>> 1
      if (!isWorse(at, above)) return
      swap(at, above)
      at = above
    }
  }

  function sink(): void {
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      let worst = at
      if (left < ids.length && isWorse(left, worst)) worst = left
      if (right < ids.length && isWorse(right, worst)) worst = right
      if (worst === at) return
      swap(at, worst)
      at = worst
    }
  }

  return {
    offer(id: number, value: number | undefined): void {
      const key = value === undefined ? Number.POSITIVE_INFINITY : sign * value
      if (ids.length < limit) {
        ids.push(id)
        values.push(key)
        rise(ids.length - 1)
        return
      }
      const [worstId = 0, worst = 0] = [ids[0], values[0]]
      if (key > worst || (key === worst && id > worstId)) return
      ids[0] = id
      values[0] = key
      sink()
    },
    /** Removes and returns the worst. */
    pop(): number | undefined {
      const worst = ids[0]
      swap(0, ids.length - 1)
      ids.pop()
      values.pop()
      sink()
      return worst
    },
    count: () => ids.length,
  }
}

/** Which devices match, and the field that ranks them. */
export interface Ranking {
  readonly findValue: FindValue
  readonly matches: (id: number) => boolean
  /** A field of state-filter.ts. */
  readonly field: string
}

/**
 * A page of the matching devices in the order of a value, devices without it last, and the number of matches. Skips
 * undefined ids. Holds only the devices up to the end of the page. Runs in time slices.
 */
export async function rankPage(
  candidates: Iterable<number | undefined>,
  { findValue, matches, field }: Ranking,
  { start, size, desc }: { readonly start: number; readonly size: number; readonly desc: boolean },
): Promise<Ranked> {
  const best = createBest(start + size, desc)
  let [scanned, total] = [0, 0]
  for (const id of candidates) {
    scanned += 1
    if (scanned % DEVICES_PER_SLICE === 0) await setImmediate()
    if (id === undefined) continue
    if (!matches(id)) continue
    total += 1
    best.offer(id, findValue(id, field))
  }
  const ids: number[] = []
  while (best.count() > start) ids.push(best.pop() ?? 0)
  return { ids: ids.reverse(), total }
}

/**
 * The first `limit` matching devices in the given order, and the number of matches. Skips undefined ids. Runs in time
 * slices.
 */
export async function takeMatching(
  ids: Iterable<number | undefined>,
  matches: (id: number) => boolean,
  limit: number,
): Promise<Ranked> {
  const taken: number[] = []
  let [scanned, total] = [0, 0]
  for (const id of ids) {
    scanned += 1
    if (scanned % DEVICES_PER_SLICE === 0) await setImmediate()
    if (id === undefined || !matches(id)) continue
    total += 1
    if (taken.length < limit) taken.push(id)
  }
  return { ids: taken, total }
}
