import { DAY_MS, HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  BEFORE_MS,
  findOpenings,
  MAX_SILENCE_MS,
  type Opening,
  type OwnTime,
  toCut,
  type ValveReading,
} from './find-openings.ts'

const opening = (minute: number, value: number): ValveReading => ({
  ts: minute * MINUTE_MS,
  metric: 'opening',
  value,
})
const flow = (minute: number, value: number): ValveReading => ({
  ts: minute * MINUTE_MS,
  metric: 'flow',
  value,
})
const find = (
  readings: readonly ValveReading[],
  own: readonly OwnTime[] = [],
  [from, to] = [toCut(0), toCut(0) + 7 * DAY_MS],
) => findOpenings(readings, { flowM3H: 6, own, from, to })
const times = (readings: readonly ValveReading[], own?: readonly OwnTime[]) =>
  find(readings, own).map(({ fromMs, toMs }) => [fromMs / MINUTE_MS, toMs / MINUTE_MS])
const ownTime = (from: number, to: number): OwnTime => ({
  openedMs: from * MINUTE_MS,
  closedMs: to * MINUTE_MS,
})

it('finds each opening once, and one that flutters as one', () => {
  const readings = [opening(10, 100), opening(15, 0), opening(16, 100), opening(20, 0)]
  expect(times([...readings, opening(130, 100), opening(135, 0)])).toEqual([
    [10, 20],
    [130, 135],
  ])
})

it('counts water by the meter where it reported, else by the stated flow for the opening', () => {
  const [metered] = find([opening(0, 100), flow(0, 9), flow(30, 3), opening(60, 0)])
  expect(metered?.volumeM3).toBeCloseTo(6, 9)
  expect(metered?.measuredM3).toBeCloseTo(6, 9)
  const [half] = find([opening(0, 50), opening(60, 0)])
  expect(half).toMatchObject({ volumeM3: 3, measuredM3: 0 })
  const [late] = find([opening(0, 100), flow(30, 4), opening(60, 0)])
  expect(late?.volumeM3).toBeCloseTo(5, 9)
  expect(late?.measuredM3).toBeCloseTo(2, 9)
})

it('leaves out what a run of the product opened, also while the run has the valve still', () => {
  const readings = [opening(10, 100), opening(15, 0)]
  expect(times(readings, [ownTime(9.97, 15)])).toEqual([])
  expect(times(readings, [ownTime(9.97, Number.POSITIVE_INFINITY)])).toEqual([])
  expect(times(readings, [ownTime(20, 25)])).toHaveLength(1)
})

it('leaves out a run whose gateway has a clock that is wrong by less than is corrected', () => {
  expect(times([opening(12, 100), opening(14, 0)], [ownTime(5, 10)])).toEqual([])
  expect(times([opening(14, 100), opening(16, 0)], [ownTime(5, 10)])).toEqual([[14, 16]])
})

it('leaves out the rest of the opening of a run after a silence, and not the next opening', () => {
  const silent = [opening(0, 100), opening(30, 100), opening(300, 100), opening(330, 0)]
  const own = [ownTime(0, 20)]
  expect(times(silent)).toEqual([
    [0, 30],
    [300, 330],
  ])
  expect(times(silent, own)).toEqual([])
  expect(times([...silent, opening(400, 100), opening(410, 0)], own)).toEqual([[400, 410]])
})

it('does not take a valve for open that was silent for hours, and knows one that is open until its last reading', () => {
  expect(times([opening(0, 100), opening(60, 100), opening(600, 0)])).toEqual([[0, 60]])
  expect(times([opening(0, 100), opening(60, 100)])).toEqual([[0, 60]])
  expect(times([opening(0, 100)])).toEqual([])
})

it('counts no water of a valve under maintenance, and what was open before only until then', () => {
  const tried = (minute: number): ValveReading => ({ ...opening(minute, 100), value: undefined })
  expect(times([tried(10), tried(20), opening(30, 0)])).toEqual([])
  const between = [opening(0, 100), opening(10, 100), tried(15), tried(40), opening(50, 100), opening(60, 0)]
  expect(times(between)).toEqual([
    [0, 15],
    [50, 60],
  ])
  const dry = { ...flow(5, 0), value: undefined }
  expect(find([opening(0, 100), dry, opening(60, 0)])[0]?.volumeM3).toBeCloseTo(6, 9)
})

it('cuts a valve that is open for days at noon in China', () => {
  const hours = Array.from({ length: 60 }, (_, hour) => opening(hour * 60, 100))
  expect(
    find(hours).map(({ fromMs, toMs, volumeM3 }) => [fromMs / HOUR_MS, toMs / HOUR_MS, volumeM3]),
  ).toEqual([
    [0, 4, expect.closeTo(24, 6)],
    [4, 28, expect.closeTo(144, 6)],
    [28, 52, expect.closeTo(144, 6)],
    [52, 59, expect.closeTo(42, 6)],
  ])
})

const drafts = fc.array(
  fc.tuple(
    fc.integer({ min: 0, max: 6_000 }),
    fc.constantFrom('opening' as const, 'flow' as const),
    fc.constantFrom(0, 50, 100),
  ),
  { maxLength: 80 },
)
const owns = fc.array(fc.tuple(fc.integer({ min: 0, max: 6_000 }), fc.integer({ min: 1, max: 90 })), {
  maxLength: 4,
})
const toReadings = (given: readonly (readonly [number, 'opening' | 'flow', number])[]) =>
  given
    .map(([minute, metric, value]) =>
      metric === 'opening' ? opening(minute, value) : flow(minute, value / 20),
    )
    .toSorted(
      (one, other) => one.ts - other.ts || Number(one.metric === 'flow') - Number(other.metric === 'flow'),
    )

it('has no more water than the valve can have given, and nothing twice, for any readings', () => {
  fc.assert(
    fc.property(drafts, (given) => {
      let lastMs = Number.NEGATIVE_INFINITY
      for (const { fromMs, toMs, volumeM3, measuredM3 } of find(toReadings(given))) {
        expect(fromMs).toBeGreaterThanOrEqual(lastMs)
        expect(toMs).toBeGreaterThan(fromMs)
        expect(toMs - fromMs).toBeLessThanOrEqual(DAY_MS)
        expect(volumeM3).toBeLessThanOrEqual(((toMs - fromMs) / HOUR_MS) * 6 + 1e-9)
        expect(measuredM3).toBeLessThanOrEqual(volumeM3 + 1e-9)
        lastMs = toMs
      }
    }),
    { numRuns: 200 },
  )
})

it('finds the same of a day whatever span is read', () => {
  fc.assert(
    fc.property(drafts, owns, (given, ownGiven) => {
      const readings = toReadings(given)
      const own = ownGiven.map(([from, length]) => ownTime(from, from + length))
      const days = Array.from({ length: 7 }, (_, day) => toCut(0) + day * DAY_MS)
      const daily = days.flatMap((from) => {
        const to = from + DAY_MS
        const read = readings.filter(({ ts }) => ts >= from - BEFORE_MS && ts < to + MAX_SILENCE_MS)
        return find(read, own, [from, to])
      })
      const near = (openings: readonly Opening[]) =>
        openings.map(({ fromMs, toMs, volumeM3 }) => [fromMs, toMs, volumeM3.toFixed(6)])
      expect(near(daily)).toEqual(near(find(readings, own)))
    }),
    { numRuns: 200 },
  )
})
