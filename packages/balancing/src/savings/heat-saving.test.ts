import { toGigajoule, toYuan, yuanPerGigajoule } from '@isotherm/kernel/quantities'
import { createRandom } from '@isotherm/kernel/random'
import { expect, it } from 'vitest'
import type { HeatBaseline, HeatDay } from './heat-baseline.ts'
import { day, drawHeat, drawWeather, fit } from './heat-days.testkit.ts'
import { findSaving, type HeatSaving } from './heat-saving.ts'

function save(baseline: HeatBaseline, period: readonly HeatDay[], seed = 1): HeatSaving {
  const saving = findSaving(baseline, period, seed)
  if (saving.kind !== 'known') throw new Error(saving.kind)
  return saving
}

it('finds the saving of a worked example: a tenth of 12 MWh on each of ten days', () => {
  const before = Array.from({ length: 33 }, (_, at) => day(-10 + at / 2, 10_000 - 500 * (-10 + at / 2)))
  const saving = save(
    fit(before),
    Array.from({ length: 10 }, () => day(-4, 0.9 * 12_000)),
  )
  expect(saving.predictedKwh).toBeCloseTo(120_000, 3)
  expect(saving.measuredKwh).toBeCloseTo(108_000, 6)
  expect(saving.savedKwh).toBeCloseTo(12_000, 3)
  // Days without errors leave no doubt.
  expect(saving.highKwh - saving.lowKwh).toBeLessThan(1e-3)
  expect(toGigajoule(saving.savedKwh)).toBeCloseTo(43.2, 6)
  expect(toYuan(saving.savedKwh, yuanPerGigajoule(45))).toBeCloseTo(1944, 4)
})

it('gives the same interval for the same seed, around the saving', () => {
  const random = createRandom(3)
  const baseline = fit(drawHeat(random, drawWeather(random, 60)))
  const period = drawHeat(random, drawWeather(random, 90), 0.1)
  const saving = save(baseline, period, 5)
  expect(save(baseline, period, 5)).toEqual(saving)
  expect(save(baseline, period, 6)).not.toEqual(saving)
  expect(saving.lowKwh).toBeLessThan(saving.savedKwh)
  expect(saving.highKwh).toBeGreaterThan(saving.savedKwh)
})

it('leaves out unmeasured days, and refuses a period without days or in other weather', () => {
  const random = createRandom(8)
  const baseline = fit(drawHeat(random, drawWeather(random, 60)))
  const gap = [day(-4, 10_000), day(Number.NaN, 9000), day(-3, Number.NaN)]
  expect(save(baseline, gap)).toMatchObject({ days: 1, measuredKwh: 10_000 })
  expect(findSaving(baseline, [day(0, Number.NaN)], 1)).toEqual({ kind: 'no-days' })
  const arctic = [day(-30, 20_000), day(-31, 20_000), day(-5, 12_000)]
  expect(findSaving(baseline, arctic, 1)).toEqual({ kind: 'weather-beyond-baseline', days: 2, ofDays: 3 })
})
