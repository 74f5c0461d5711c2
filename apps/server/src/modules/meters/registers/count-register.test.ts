import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countRegister, type RegisterDay } from './count-register.ts'
import { sumHeat } from './sum-heat.ts'

/** A day of a register that only grows, unless `other` says more. */
const day = (number: number, first: number, last: number, other: Partial<RegisterDay> = {}): RegisterDay => ({
  device: 1,
  day: number,
  first,
  last,
  min: Math.min(first, last),
  max: Math.max(first, last),
  fell: false,
  firstHours: 24 * number,
  lastHours: 24 * number + 23,
  minHours: 24 * number,
  maxHours: 24 * number + 23,
  ...other,
})

test('a day lasts to the first reading of the next one, so that nothing between is lost', () => {
  const count = countRegister([day(10, 100, 119), day(11, 120, 139), day(12, 140, 158)])
  expect([...count.measured]).toEqual([
    [10, 20],
    [11, 20],
    [12, 18],
  ])
  expect(sumHeat(count, { from: 10, to: 12 })).toEqual({
    heatKwh: 40,
    estimatedKwh: 0,
    lowKwh: 40,
    highKwh: 40,
    missingDays: 0,
    uncountedDays: 0,
  })
})

test('a rollover within a day and between two days adds the capacity of the register', () => {
  const within = day(11, 999_960, 15, { min: 5, max: 999_990, fell: true })
  const count = countRegister([day(10, 999_900, 999_950), within, day(12, 25, 45)])
  // 999,960 to 1,000,025 at the start of day 12.
  expect(count.measured.get(11)).toBe(65)
  expect(count.segments.map(({ begins }) => begins)).toEqual(['first', 'rollover'])
  const between = countRegister([day(10, 999_900, 999_980), day(11, 20, 60)])
  expect([...between.measured]).toEqual([
    [10, 120],
    [11, 40],
  ])
})

test('a new meter with new hours continues the count: old to its last value, new from its first', () => {
  const changed = day(11, 50_040, 12, { min: 2, max: 50_050, fell: true, minHours: 0, maxHours: 9_000 })
  const count = countRegister([day(10, 50_000, 50_030), changed, day(12, 20, 60)])
  expect([...count.measured]).toEqual([
    [10, 40],
    [11, 10 + 10 + 8],
    [12, 40],
  ])
  expect(count.segments.map(({ begins, firstKwh, lastKwh }) => [begins, firstKwh, lastKwh])).toEqual([
    ['first', 50_000, 50_050],
    ['meter-change', 2, 60],
  ])
})

test('a new meter of the registry is a change, whatever its register shows', () => {
  const count = countRegister([day(10, 100, 130), day(11, 140, 150), day(11, 9_000, 9_010, { device: 2 })])
  expect([...count.measured]).toEqual([
    [10, 40],
    [11, 20],
  ])
  expect(count.segments.at(-1)).toMatchObject({ begins: 'meter-change', firstKwh: 9_000, lastKwh: 9_010 })
})

test('a register that falls for no reason counts nothing until it is above the last good value', () => {
  const count = countRegister([day(10, 5_000, 5_020), day(11, 3_000, 3_020), day(12, 5_050, 5_060)])
  // The wrong day is without a reading, and the difference around it covers it.
  expect(count.gaps).toEqual([{ from: 11, to: 12, kwh: 30, isGuess: false }])
  expect(sumHeat(count, { from: 10, to: 13 }).heatKwh).toBe(60)
})

test('jitter of two steps counts as unchanged and is not counted again', () => {
  const count = countRegister([day(10, 100, 120), day(11, 117, 140), day(12, 140, 160)])
  expect([...count.measured.values()].reduce((sum, kwh) => sum + kwh, 0)).toBe(60)
})

test('a gap inside a range is exact, and one across its end has bounds', () => {
  const count = countRegister([day(10, 100, 120), day(15, 200, 220)])
  expect(sumHeat(count, { from: 10, to: 16 })).toEqual({
    heatKwh: 120,
    estimatedKwh: 80,
    lowKwh: 120,
    highKwh: 120,
    missingDays: 4,
    uncountedDays: 0,
  })
  expect(sumHeat(count, { from: 10, to: 13 })).toEqual({
    heatKwh: 60,
    estimatedKwh: 40,
    lowKwh: 20,
    highKwh: 100,
    missingDays: 2,
    uncountedDays: 0,
  })
  expect(sumHeat(count, { from: 13, to: 20 })).toMatchObject({ missingDays: 6, uncountedDays: 4 })
})

test('the days between an old and a new meter have the mean of the days before, as a guess with bounds', () => {
  const newMeter = day(14, 0, 20, { device: 2 })
  const count = countRegister([day(10, 0, 30), day(11, 30, 60), day(12, 60, 90), newMeter])
  expect(count.gaps).toEqual([{ from: 13, to: 14, kwh: 30, isGuess: true }])
  expect(sumHeat(count, { from: 10, to: 15 })).toMatchObject({ heatKwh: 140, lowKwh: 110, highKwh: 170 })
})

test('whatever the readings, no day is negative, and neighbouring ranges add up to the whole', () => {
  const value = fc.integer({ min: 0, max: 1_000_000 })
  fc.assert(
    fc.property(
      fc.array(fc.tuple(value, value, value, value), { maxLength: 20 }),
      fc.nat(20),
      (rows, cut) => {
        const days = rows.map(([first, last, min, max], index) =>
          day(index * 2, first, last, {
            min: Math.min(first, last, min),
            max: Math.max(first, last, max),
            fell: last < first,
          }),
        )
        const count = countRegister(days)
        const sum = (from: number, to: number) => sumHeat(count, { from, to }).heatKwh
        for (const kwh of count.measured.values()) expect(kwh).toBeGreaterThanOrEqual(0)
        expect(sum(0, cut) + sum(cut, 40)).toBeCloseTo(sum(0, 40), 3)
        const { lowKwh, heatKwh, highKwh } = sumHeat(count, { from: 0, to: cut })
        expect(lowKwh).toBeLessThanOrEqual(heatKwh + 1e-6)
        expect(highKwh).toBeGreaterThanOrEqual(heatKwh - 1e-6)
      },
    ),
  )
})
