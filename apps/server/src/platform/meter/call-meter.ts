import type { Clock } from '../clock.ts'

/**
 * Upper bounds of the duration classes, ms: powers of the square root of two from 1 ms to 65 s. The last class has no bound.
 * A quantile is therefore at most 41 % too high or too low, and less after interpolation.
 */
const BOUNDS_MS: readonly number[] = Array.from({ length: 33 }, (_, place) => 2 ** (place / 2))
const CLASSES = BOUNDS_MS.length + 1

/** Calls of one interface. */
export interface CallCounts {
  readonly calls: number
  /** Refused and failed calls. */
  readonly failures: number
  /** Number of calls by duration class. */
  readonly durations: readonly number[]
}

/** Counts calls of interfaces and measures their duration. */
export interface CallMeter {
  /** Starts a call of an interface. The returned function ends it. */
  start(name: string): (outcome: 'ok' | 'failed') => void
  /** Returns the counts since the last time and starts again at zero. */
  take(): ReadonlyMap<string, CallCounts>
  /** Adds counts that could not be stored. */
  restore(counts: ReadonlyMap<string, CallCounts>): void
}

export const noCalls: CallCounts = { calls: 0, failures: 0, durations: Array(CLASSES).fill(0) }

export const addCounts = (one: CallCounts, other: CallCounts): CallCounts => ({
  calls: one.calls + other.calls,
  failures: one.failures + other.failures,
  durations: one.durations.map((count, place) => count + (other.durations[place] ?? 0)),
})

const toClass = (durationMs: number): number => {
  const found = BOUNDS_MS.findIndex((bound) => durationMs <= bound)
  return found < 0 ? CLASSES - 1 : found
}

export function createCallMeter(clock: Pick<Clock, 'elapsed'>): CallMeter {
  let counts = new Map<string, { calls: number; failures: number; durations: number[] }>()

  function getCounts(name: string) {
    const known = counts.get(name)
    if (known) return known
    const added = { calls: 0, failures: 0, durations: [...noCalls.durations] }
    counts.set(name, added)
    return added
  }

  return {
    start(name) {
      const startedAt = clock.elapsed()
      return (outcome) => {
        const counted = getCounts(name)
        const place = toClass(clock.elapsed() - startedAt)
        counted.calls += 1
        if (outcome === 'failed') counted.failures += 1
        counted.durations[place] = (counted.durations[place] ?? 0) + 1
      }
    },
    take() {
      const taken = counts
      counts = new Map()
      return taken
    },
    restore(returned) {
      for (const [name, each] of returned) {
        const { calls, failures, durations } = addCounts(each, getCounts(name))
        counts.set(name, { calls, failures, durations: [...durations] })
      }
    },
  }
}

/**
 * The duration that `share` (0 to 1) of the calls do not exceed, ms, interpolated within its class; null without calls.
 * Calls beyond the last bound count as that bound.
 */
export function findQuantileMs({ durations, calls }: CallCounts, share: number): number | null {
  if (calls === 0) return null
  const rank = share * calls
  let below = 0
  for (const [place, count] of durations.entries()) {
    if (count > 0 && below + count >= rank) {
      const from = BOUNDS_MS[place - 1] ?? 0
      const to = BOUNDS_MS[place] ?? from
      return from + ((to - from) * (rank - below)) / count
    }
    below += count
  }
  return null
}
