import { createRandom, type Random, sampleNormal } from '@isotherm/kernel/random'
import { expect, it } from 'vitest'
import { findPumpSaving } from './pump-saving.ts'

it('finds the saving of a worked example: 40 of 100 kWh on each of ten days', () => {
  const saving = findPumpSaving(
    Array.from({ length: 30 }, () => 100),
    Array.from({ length: 10 }, () => 60),
  )
  expect(saving).toEqual({
    days: 10,
    beforeKwhDay: 100,
    afterKwhDay: 60,
    savedKwh: 400,
    lowKwh: 400,
    highKwh: 400,
  })
})

it('has the interval of a worked example: 40 days of 108 and 92 kWh, four of each at a time, then ten of 90 kWh', () => {
  const before = Array.from({ length: 40 }, (_, at) => (Math.floor(at / 4) % 2 === 0 ? 108 : 92))
  const saving = findPumpSaving(before, new Array(10).fill(90))
  // A variance of 40/39·64, a correlation of 21/40 + (1 + 3·21/40)/40 = 0.589, and 10²/40 + 10 days.
  const error = 1.645 * Math.sqrt(65.641 * 3.8704 * 12.5)
  expect(saving?.savedKwh).toBeCloseTo(100, 9)
  expect(saving?.lowKwh).toBeCloseTo(100 - error, 1)
  expect(saving?.highKwh).toBeCloseTo(100 + error, 1)
})

it('refuses fewer than 21 days before, and no days after', () => {
  expect(findPumpSaving(new Array(21).fill(100), [60])?.savedKwh).toBe(40)
  expect(findPumpSaving(new Array(20).fill(100), [60])).toBeUndefined()
  expect(findPumpSaving(new Array(30).fill(100), [])).toBeUndefined()
})

/** Days of 100 kWh with errors of 8 kWh that last: a correlation of 0.5. */
function drawDays(random: Random, days: number): number[] {
  let error = sampleNormal(random, 0, 8)
  return Array.from({ length: days }, () => {
    error = 0.5 * error + Math.sqrt(0.75) * sampleNormal(random, 0, 8)
    return 100 + error
  })
}

it('covers the true saving in about nine of ten periods, although errors last for days', () => {
  let covered = 0
  const PERIODS = 300
  for (let at = 0; at < PERIODS; at++) {
    const random = createRandom(40 + at)
    const before = drawDays(random, 60)
    const without = drawDays(random, 45)
    const truth = without.reduce((sum, day) => sum + 0.3 * day, 0)
    const saving = findPumpSaving(
      before,
      without.map((day) => 0.7 * day),
    )
    if (saving && truth >= saving.lowKwh && truth <= saving.highKwh) covered++
  }
  expect(covered / PERIODS).toBeGreaterThan(0.83)
  expect(covered / PERIODS).toBeLessThan(0.97)
})
