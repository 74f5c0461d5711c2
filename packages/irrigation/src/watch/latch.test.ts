import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isDry, type SourceReading, watchDryRun, watchLeak } from './latch.ts'

const leak = { leakM3H: 0.2, leakS: 120 }
const dry = { leakM3H: 0.2, dryRunS: 60, minInletKpa: 10 }
const at = (atMs: number, flowM3H: number): SourceReading => ({ atMs, flowM3H })

/** Watches readings one after the other. */
function watch(readings: readonly SourceReading[], quietMs = 0) {
  let sinceMs: number | undefined
  return readings.map((reading) => {
    const next = watchLeak(reading, leak, quietMs, sinceMs)
    sinceMs = next.sinceMs
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

it('calls a pump dry that runs without flow or with too little pressure before it, and none that stands or says nothing', () => {
  const reading = { atMs: 0, flowM3H: 0, isPumping: true, inletKpa: 50 }
  expect(isDry(reading, dry)).toBe(true)
  expect(isDry({ ...reading, flowM3H: 20 }, dry)).toBe(false)
  expect(isDry({ ...reading, flowM3H: 20, inletKpa: 5 }, dry)).toBe(true)
  expect(isDry({ ...reading, flowM3H: 20, inletKpa: 5 }, { ...dry, minInletKpa: undefined })).toBe(false)
  expect(isDry({ ...reading, isPumping: false }, dry)).toBe(false)
  expect(isDry({ ...reading, isPumping: undefined }, dry)).toBe(false)
})

it('protects after the stated time of readings since the valves opened', () => {
  const reading = (atMs: number) => ({ atMs, flowM3H: 0, isPumping: true })
  const first = watchDryRun(reading(5_000), dry, 10_000, undefined)
  expect(first).toEqual({ sinceMs: undefined, isReached: false })
  const second = watchDryRun(reading(12_000), dry, 10_000, first.sinceMs)
  expect(second).toEqual({ sinceMs: 12_000, isReached: false })
  expect(watchDryRun(reading(72_000), dry, 10_000, second.sinceMs).isReached).toBe(true)
})

it('calls a pump dry by the newest value that says so: each has its own instant', () => {
  const low = { atMs: 20_000, flowM3H: 30, isPumping: true, inletKpa: 5, inletMs: 90_000 }
  expect(watchDryRun(low, dry, 10_000, 30_000).isReached).toBe(true)
  expect(watchDryRun({ ...low, inletMs: 80_000 }, dry, 10_000, 30_000).isReached).toBe(false)
  const before = watchDryRun({ ...low, atMs: 90_000, inletMs: 5_000 }, dry, 10_000, undefined)
  expect(before).toEqual({ sinceMs: undefined, isReached: false })
})
