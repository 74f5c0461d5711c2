import { toGigajoule, toYuan, yuanPerGigajoule } from '@isotherm/kernel/quantities'
import { createRandom } from '@isotherm/kernel/random'
import { expect, it } from 'vitest'
import type { HeatBaseline, HeatDay } from './heat-baseline.ts'
import { day, drawHeat, drawWeather, fit } from './heat-days.testkit.ts'
import { findSaving, findSavingInSteps, type HeatSaving } from './heat-saving.ts'

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

/** 40 days from −10 to 5.2 °C on a line of 500 kWh/K, 100 kWh above or below it for `length` days each. */
function fitSides(length: number): HeatBaseline {
  const used = new Map<number, number>()
  return fit(
    Array.from({ length: 40 }, (_, at) => {
      const sign = Math.floor(at / length) % 2 === 0 ? 1 : -1
      const outdoorC = -10 + 0.8 * (used.get(sign) ?? 0)
      used.set(sign, (used.get(sign) ?? 0) + 1)
      return day(outdoorC, 10_000 - 500 * outdoorC + sign * 100)
    }),
  )
}

it.each([
  // Errors of 100 kWh·√(40/37), four of them and their share of the line: 16/40.
  ['errors of single days', 1, 104 * Math.sqrt(4 + 0.4)],
  // A correlation of 0.64 leaves 8.8 independent days: 100 kWh·√(8.8/5.8). Four days add up to 10 squares, and the line has 4.5·16/40.
  ['errors that last for days', 4, 123 * Math.sqrt(9.99 + 1.82)],
])('has the interval of a worked example, four days at the mean weather: %s', (_, length, deviationKwh) => {
  const period = Array.from({ length: 4 }, () => day(-2.4, 11_000))
  const { savedKwh, lowKwh, highKwh } = save(fitSides(length), period)
  expect(savedKwh).toBeCloseTo(4 * 200, 3)
  expect((highKwh - lowKwh) / (2 * 1.645 * deviationKwh)).toBeGreaterThan(0.9)
  expect((highKwh - lowKwh) / (2 * 1.645 * deviationKwh)).toBeLessThan(1.15)
  expect(Math.abs((highKwh + lowKwh) / 2 - savedKwh)).toBeLessThan(0.15 * deviationKwh)
})

it('takes a period of which a quarter of the days is warmer or colder by more than 3 K', () => {
  const baseline = fitSides(1)
  const usual = [day(0, 10_000), day(-1, 10_000)]
  const beyond = (...outdoorC: readonly number[]) =>
    findSaving(baseline, [...usual, ...outdoorC.map((at) => day(at, 9000))], 1).kind
  // The coldest day was at −10 °C, the warmest at 5.2 °C.
  expect(beyond(8.1, 8.1)).toBe('known')
  expect(beyond(-12.9, -12.9)).toBe('known')
  expect(beyond(8.3, 8.1)).toBe('known')
  expect(beyond(8.3, 8.3)).toBe('weather-beyond-baseline')
  expect(beyond(-13.1, -13.1)).toBe('weather-beyond-baseline')
  expect(beyond(8.3, -13.1)).toBe('weather-beyond-baseline')
})

it('works in a hundred steps', () => {
  const work = findSavingInSteps(fitSides(1), [day(0, 10_000)], 1)
  let steps = 0
  while (!work.next().done) steps++
  expect(steps).toBe(100)
})
