import { celsius, kilowattHour, toGigajoule, toYuan, yuanPerGigajoule } from '@isotherm/kernel/quantities'
import { createRandom, type Random, sampleNormal } from '@isotherm/kernel/random'
import { expect, it } from 'vitest'
import { fitBaseline, type HeatBaseline, type HeatDay } from './heat-baseline.ts'
import { findSaving, type HeatSaving } from './heat-saving.ts'

const day = (outdoorC: number, heatKwh: number): HeatDay => ({
  outdoorC: celsius(outdoorC),
  heatKwh: kilowattHour(heatKwh),
})

function fit(days: readonly HeatDay[]): HeatBaseline {
  const baseline = fitBaseline(days)
  if (baseline.kind !== 'fitted') throw new Error(baseline.kind)
  return baseline
}

function save(baseline: HeatBaseline, period: readonly HeatDay[], seed = 1): HeatSaving {
  const saving = findSaving(baseline, period, seed)
  if (saving.kind !== 'known') throw new Error(saving.kind)
  return saving
}

/** Mean outdoor temperatures of consecutive days, °C. */
function drawWeather(random: Random, days: number): number[] {
  let slow = 0
  return Array.from({ length: days }, (_, at) => {
    slow = 0.7 * slow + sampleNormal(random, 0, 2.5)
    return -4 + 4 * Math.sin(at / 15) + slow
  })
}

/** Heat of consecutive days with errors that last: 500 kWh/K below 16 °C, errors of 400 kWh with a correlation of 0.5. */
function drawHeat(random: Random, outdoorC: readonly number[], saved = 0): HeatDay[] {
  let error = sampleNormal(random, 0, 400)
  return outdoorC.map((at) => {
    error = 0.5 * error + Math.sqrt(0.75) * sampleNormal(random, 0, 400)
    return day(at, (1 - saved) * (2000 + 500 * (16 - at)) + error)
  })
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

/** Share of the seasons with a saving whose truth is within the interval: a simulation knows the heat without the change. */
function coverage(baselineDays: number, seasons: number) {
  let [covered, known] = [0, 0]
  for (let season = 0; season < seasons; season++) {
    const random = createRandom(900 + season)
    const baseline = fit(drawHeat(random, drawWeather(random, baselineDays)))
    const without = drawHeat(random, drawWeather(random, 90))
    const period = without.map(({ outdoorC, heatKwh }) => day(outdoorC, 0.92 * heatKwh))
    const truth = without.reduce((sum, { heatKwh }) => sum + 0.08 * heatKwh, 0)
    const saving = findSaving(baseline, period, season)
    if (saving.kind !== 'known') continue
    known++
    if (truth >= saving.lowKwh && truth <= saving.highKwh) covered++
  }
  return { share: covered / known, known }
}

it('covers the true saving in about nine of ten seasons, although errors last for days', () => {
  for (const days of [45, 120]) {
    const { share, known } = coverage(days, 100)
    expect(known).toBeGreaterThan(90)
    expect(share).toBeGreaterThan(0.82)
    expect(share).toBeLessThan(0.97)
  }
})
