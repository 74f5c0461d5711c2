import { celsius, kilowattHour } from '@isotherm/kernel/quantities'
import { expect, it } from 'vitest'
import { fitBaseline, type HeatDay } from './heat-baseline.ts'

const day = (outdoorC: number, heatKwh: number): HeatDay => ({
  outdoorC: celsius(outdoorC),
  heatKwh: kilowattHour(heatKwh),
})
/** 10 MWh at 0 °C and 500 kWh more for each kelvin below. */
const daysBetween = (fromC: number, toC: number, count: number): HeatDay[] =>
  Array.from({ length: count }, (_, at) => fromC + ((toC - fromC) * at) / (count - 1)).map((outdoorC) =>
    day(outdoorC, 10_000 - 500 * outdoorC),
  )

it('fits the days of a worked example: 10 MWh at 0 °C, 500 kWh/K', () => {
  const baseline = fitBaseline(daysBetween(-10, 6, 30))
  if (baseline.kind !== 'fitted') throw new Error(baseline.kind)
  expect(baseline.line.slopeKwhK).toBeCloseTo(500, 6)
  expect(baseline.line.baseKwh).toBeCloseTo(7000, 6)
  expect(baseline.line.changePointC).toBeCloseTo(6, 9)
  expect(Math.max(...baseline.residualKwh.map(Math.abs))).toBeLessThan(1e-6)
})

it('refuses too few days, days of equal weather, and heat that does not follow the weather', () => {
  const max = daysBetween(-10, 6, 20)
  expect(fitBaseline(max)).toEqual({ kind: 'too-few-days', days: 20, needed: 21 })
  expect(fitBaseline([...max, day(-4, Number.NaN), day(Number.NaN, 9000)])).toEqual({
    kind: 'too-few-days',
    days: 20,
    needed: 21,
  })
  expect(fitBaseline(daysBetween(-3, 3, 40))).toEqual({
    kind: 'weather-too-equal',
    spanK: 6,
    neededK: 8,
  })
  const upside = daysBetween(-10, 6, 40).map(({ outdoorC }) => day(outdoorC, 10_000 + 500 * outdoorC))
  expect(fitBaseline(upside).kind).toBe('heat-not-by-weather')
  const unrelated = daysBetween(-10, 6, 40).map(({ outdoorC }, at) => day(outdoorC, at % 2 ? 6000 : 9000))
  expect(fitBaseline(unrelated).kind).toBe('heat-not-by-weather')
})

it('takes 21 days, and weather that spans 8 K', () => {
  expect(fitBaseline(daysBetween(-10, 6, 21)).kind).toBe('fitted')
  expect(fitBaseline(daysBetween(-4, 4, 40)).kind).toBe('fitted')
})

/** 40 days whose errors have these signs. Each temperature has one day above the line and one below it, so the fit is exact. */
const withErrors = (signs: readonly number[], errorKwh: number): HeatDay[] => {
  const used = new Map<number, number>()
  return signs.map((sign) => {
    const outdoorC = -10 + 0.8 * (used.get(sign) ?? 0)
    used.set(sign, (used.get(sign) ?? 0) + 1)
    return day(outdoorC, 10_000 - 500 * outdoorC + sign * errorKwh)
  })
}

it.each([
  // Of 39 neighbours 30 are on the same side: 21/40, and (3 + 3·21/40)/40 that the fit took.
  ['four days on each side', 4, 0.525 + 4.575 / 40],
  ['a day on each side', 1, 0],
  ['twenty days on each side', 20, 0.9],
])('sees how long errors last: %s', (_, length, correlation) => {
  const signs = Array.from({ length: 40 }, (__, at) => (Math.floor(at / length) % 2 === 0 ? 1 : -1))
  const baseline = fitBaseline(withErrors(signs, 100))
  if (baseline.kind !== 'fitted') throw new Error(baseline.kind)
  expect(Math.max(...baseline.residualKwh)).toBeCloseTo(100, 3)
  expect(baseline.dayCorrelation).toBeCloseTo(correlation, 5)
})
