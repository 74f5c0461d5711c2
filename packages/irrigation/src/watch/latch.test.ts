import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  type DryRunLimits,
  type DrySince,
  type Shown,
  type SourceReading,
  watchDryRun,
  watchLeak,
} from './latch.ts'

const leak = { leakM3H: 0.2, leakS: 120, gapMs: 300_000 }
const dry = { leakM3H: 0.2, dryRunS: 60, minInletKpa: 10, gapMs: 300_000, inletGapMs: 3_600_000 }
const at = (atMs: number, flowM3H: number): SourceReading => ({ atMs, flowM3H })

const notShown: Shown = { sinceMs: undefined, seenMs: undefined }
/** Conditions of a dry pump that were seen last when they began. */
const toSince = (stillMs: number | undefined, lowMs: number | undefined): DrySince => ({
  still: { sinceMs: stillMs, seenMs: stillMs },
  low: { sinceMs: lowMs, seenMs: lowMs },
})
/** Neither condition of a dry pump is true. */
const never = toSince(undefined, undefined)
/** Since when each condition is true. */
const begins = ({ still, low, isReached }: DrySince & { readonly isReached: boolean }) => ({
  stillMs: still.sinceMs,
  lowMs: low.sinceMs,
  isReached,
})
/** Conditions of a dry pump that a first reading shows. */
function showsDry(reading: SourceReading, limits: DryRunLimits = dry): boolean {
  const { stillMs, lowMs } = begins(watchDryRun(reading, limits, reading.atMs, never))
  return stillMs !== undefined || lowMs !== undefined
}

/** Watches readings one after the other. */
function watch(readings: readonly SourceReading[], quietMs = 0) {
  let since = notShown
  return readings.map((reading) => {
    const next = watchLeak(reading, leak, quietMs, since)
    since = next
    return next.isReached
  })
}

it('finds a leak when water has flowed for the stated time by two readings, not by one and a pause', () => {
  expect(watch([at(0, 1), at(60_000, 1), at(120_000, 1)])).toEqual([false, false, true])
  expect(watch([at(0, 1), at(0, 1), at(0, 1)])).toEqual([false, false, false])
})

it('starts anew after a reading without flow, and after something was open', () => {
  expect(watch([at(0, 1), at(60_000, 0.1), at(130_000, 1), at(240_000, 1)])).toEqual([
    false,
    false,
    false,
    false,
  ])
  expect(watch([at(0, 1), at(200_000, 1)], 150_000)).toEqual([false, false])
})

it('never finds a leak in flows that are not above the floor for the stated time', () => {
  const readings = fc.array(fc.tuple(fc.integer({ min: 1, max: 119_000 }), fc.boolean()), { maxLength: 50 })
  fc.assert(
    fc.property(readings, (given) => {
      let atMs = 0
      // Every second reading is quiet.
      const seen = given.flatMap(([step, isHigh]) => {
        atMs += step
        return [at(atMs, isHigh ? 5 : 0.2), at(atMs + 1, 0)]
      })
      expect(watch(seen).some(Boolean)).toBe(false)
    }),
  )
})

it('calls a pump dry that runs without flow or with too little pressure before it, and none that stands or reports nothing', () => {
  const reading = { atMs: 0, flowM3H: 0, isPumping: true, inletKpa: 50 }
  expect(showsDry(reading, dry)).toBe(true)
  expect(showsDry({ ...reading, flowM3H: 20 }, dry)).toBe(false)
  expect(showsDry({ ...reading, flowM3H: 20, inletKpa: 5 }, dry)).toBe(true)
  expect(showsDry({ ...reading, flowM3H: 20, inletKpa: 5 }, { ...dry, minInletKpa: undefined })).toBe(false)
  expect(showsDry({ ...reading, isPumping: false }, dry)).toBe(false)
  expect(showsDry({ ...reading, isPumping: undefined }, dry)).toBe(false)
})

it('goes by the pressure alone where nothing reports the flow or the pump, and finds no leak there', () => {
  const reading = { atMs: 0, flowM3H: undefined, inletKpa: 5 }
  expect(showsDry(reading, dry)).toBe(true)
  expect(showsDry({ ...reading, inletKpa: 50 }, dry)).toBe(false)
  expect(showsDry({ ...reading, isPumping: false }, dry)).toBe(false)
  expect(showsDry({ ...reading, isPumping: true, inletKpa: 50 }, dry)).toBe(false)
  expect(watch([reading, { ...reading, atMs: 200_000 }])).toEqual([false, false])
})

it('protects after the stated time of readings since the valves opened', () => {
  const reading = (atMs: number) => ({ atMs, flowM3H: 0, isPumping: true })
  const first = watchDryRun(reading(5_000), dry, 10_000, never)
  expect(first).toEqual({ ...never, isReached: false })
  const second = watchDryRun(reading(12_000), dry, 10_000, first)
  expect(begins(second)).toEqual({ stillMs: 12_000, lowMs: undefined, isReached: false })
  expect(watchDryRun(reading(72_000), dry, 10_000, second).isReached).toBe(true)
})

const lowSince = (lowMs: number): DrySince => toSince(undefined, lowMs)

it('calls a pump dry by the newest value that says so: each has its own instant', () => {
  const low = { atMs: 20_000, flowM3H: 30, isPumping: true, inletKpa: 5, inletMs: 90_000 }
  expect(watchDryRun(low, dry, 10_000, lowSince(30_000)).isReached).toBe(true)
  expect(watchDryRun({ ...low, inletMs: 80_000 }, dry, 10_000, lowSince(30_000)).isReached).toBe(false)
  const before = watchDryRun({ ...low, atMs: 90_000, inletMs: 5_000 }, dry, 10_000, never)
  expect(before).toEqual({ ...never, isReached: false })
})

it('counts what the pump reports only since the valves opened, and for an hour: its controller may have died', () => {
  const low = { atMs: 90_000, flowM3H: 0, isPumping: false, inletKpa: 5, inletMs: 90_000 }
  expect(watchDryRun(low, dry, 10_000, lowSince(20_000))).toEqual({ ...never, isReached: false })
  expect(watchDryRun({ ...low, pumpMs: 9_000 }, dry, 10_000, lowSince(20_000)).isReached).toBe(true)
  expect(watchDryRun({ ...low, pumpMs: 10_000 }, dry, 10_000, lowSince(20_000)).isReached).toBe(false)
  const later = { ...low, inletMs: 10_001 + 3_600_000, pumpMs: 10_000 }
  expect(watchDryRun(later, dry, 10_000, lowSince(20_000)).isReached).toBe(true)
  // Nor is a pump that ran before called dry because nothing flows now.
  const still = { ...low, isPumping: true, inletKpa: 50, pumpMs: 9_000 }
  expect(watchDryRun(still, dry, 10_000, toSince(20_000, undefined))).toEqual({
    ...never,
    isReached: false,
  })
  expect(watchDryRun({ ...still, pumpMs: 90_000 }, dry, 10_000, toSince(20_000, undefined)).isReached).toBe(
    true,
  )
})

it('times a standing flow and a low pressure each from its own start', () => {
  const reading = { atMs: 12_000, flowM3H: 0, isPumping: true, inletKpa: 50 }
  const still = watchDryRun(reading, dry, 10_000, never)
  expect(begins(still)).toEqual({ stillMs: 12_000, lowMs: undefined, isReached: false })
  // The flow comes, and the pressure falls: neither has lasted for the stated time.
  const low = watchDryRun({ ...reading, atMs: 60_000, flowM3H: 5, inletKpa: 5 }, dry, 10_000, still)
  expect(begins(low)).toEqual({ stillMs: undefined, lowMs: 60_000, isReached: false })
  const later = watchDryRun({ ...reading, atMs: 80_000, flowM3H: 5, inletKpa: 5 }, dry, 10_000, low)
  expect(begins(later)).toEqual({ stillMs: undefined, lowMs: 60_000, isReached: false })
  expect(begins(watchDryRun({ ...reading, atMs: 120_000, inletKpa: 5 }, dry, 10_000, later))).toEqual({
    stillMs: 120_000,
    lowMs: 60_000,
    isReached: true,
  })
})

it('neither begins nor ends a condition by a value that is missing', () => {
  const since = toSince(12_000, 20_000)
  const missing = { atMs: 90_000, flowM3H: undefined, isPumping: true }
  expect(watchDryRun(missing, dry, 10_000, since)).toEqual({ ...since, isReached: false })
  expect(watchDryRun(missing, dry, 10_000, never)).toEqual({ ...never, isReached: false })
  expect(begins(watchDryRun({ ...missing, flowM3H: 5 }, dry, 10_000, since))).toEqual({
    stillMs: undefined,
    lowMs: 20_000,
    isReached: false,
  })
})

it('finds nothing between two readings that are too far apart: nothing says what was between them', () => {
  // The meter was broken for two hours: its values were not trusted.
  expect(watch([at(0, 1), at(60_000, 1), at(7_200_000, 1), at(7_260_000, 1)])).toEqual(Array(4).fill(false))
  expect(watch([at(0, 1), at(7_200_000, 1), at(7_260_000, 1), at(7_320_000, 1)]).at(-1)).toBe(true)
  const still = { atMs: 7_200_000, flowM3H: 0, isPumping: true, inletKpa: 50 }
  expect(begins(watchDryRun(still, dry, 10_000, toSince(20_000, undefined)))).toEqual({
    stillMs: 7_200_000,
    lowMs: undefined,
    isReached: false,
  })
  const low = { ...still, flowM3H: 5, inletKpa: 5 }
  expect(begins(watchDryRun(low, dry, 10_000, toSince(undefined, 20_000)))).toEqual({
    stillMs: undefined,
    lowMs: 7_200_000,
    isReached: false,
  })
})

it('lets readings of a slow meter last, each within the time of the one before', () => {
  const slow = { ...leak, gapMs: 2_700_000 }
  const first = watchLeak(at(0, 1), slow, 0, notShown)
  expect(watchLeak(at(900_000, 1), slow, 0, first).isReached).toBe(true)
  expect(watchLeak(at(900_000, 1), leak, 0, first).isReached).toBe(false)
})

it('counts a condition as seen at least when it began: a replica of the release before writes only that', () => {
  const since = { sinceMs: 1_000_000, seenMs: 10_000 }
  expect(watchLeak(at(1_120_000, 1), leak, 0, since)).toMatchObject({ sinceMs: 1_000_000, isReached: true })
})
