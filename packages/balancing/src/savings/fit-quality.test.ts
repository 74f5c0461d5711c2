import { celsius, kilowattHour } from '@isotherm/kernel/quantities'
import { expect, it } from 'vitest'
import { orderDays } from './change-point.ts'
import { findFitQuality } from './fit-quality.ts'
import { fitBaseline, type HeatDay } from './heat-baseline.ts'

/** 33 days from −10 to 6 °C: 10 MWh at 0 °C, 500 kWh/K, and errors that swing evenly around it. */
const swing = (errorKwh: number): HeatDay[] =>
  Array.from({ length: 33 }, (_, at) => {
    const outdoorC = -10 + at / 2
    const sign = [1, -1, -1, 1][at % 4] ?? 0
    return {
      outdoorC: celsius(outdoorC),
      heatKwh: kilowattHour(10_000 - 500 * outdoorC + sign * errorKwh),
    }
  })

function judge(errorKwh: number) {
  const baseline = fitBaseline(swing(errorKwh))
  if (baseline.kind !== 'fitted') throw new Error(baseline.kind)
  return findFitQuality(baseline)
}

it('finds the quality of a worked example: errors of 550 kWh on a mean of 12.5 MWh', () => {
  // 15 MWh at −10 °C and 10 MWh at 0 °C, two days each; one degree of freedom is left.
  const { r2, cvRmsePct, isWithinLimits } = findFitQuality({
    kind: 'fitted',
    line: { baseKwh: 10_000, slopeKwhK: 500, changePointC: 0 },
    weather: orderDays(Float64Array.of(-10, -10, 0, 0)),
    residualKwh: Float64Array.of(550, -550, 550, -550),
    dayCorrelation: 0,
    coldestC: -10,
    warmestC: 0,
  })
  expect(cvRmsePct).toBeCloseTo((100 * Math.sqrt(4 * 550 ** 2)) / 12_500, 9)
  // Squares around the mean: 2·(3.05² + 1.95²) MWh², of which 4·0.55² are not explained.
  expect(r2).toBeCloseTo(1 - 1.21 / 26.21, 9)
  expect(isWithinLimits).toBe(true)
})

it('reports that a fit is poor if the weather explains less than three quarters', () => {
  const { r2, isWithinLimits } = judge(1700)
  expect(r2).toBeGreaterThan(0.5)
  expect(r2).toBeLessThan(0.75)
  expect(isWithinLimits).toBe(false)
})

it('reports that a fit is exact if no day is off the line', () => {
  const { r2, cvRmsePct } = judge(0)
  expect(r2).toBeCloseTo(1, 9)
  expect(cvRmsePct).toBeCloseTo(0, 6)
})

it('has n − 3 degrees of freedom, and takes errors with their sign', () => {
  // 16 MWh at −10 °C and 10 MWh at 0 °C, four days each. The errors are those of the colder days.
  const { r2, cvRmsePct } = findFitQuality({
    kind: 'fitted',
    line: { baseKwh: 10_000, slopeKwhK: 600, changePointC: 0 },
    weather: orderDays(Float64Array.of(-10, -10, -10, -10, 0, 0, 0, 0)),
    residualKwh: Float64Array.of(900, -300, -300, -300, 0, 0, 0, 0),
    dayCorrelation: 0,
    coldestC: -10,
    warmestC: 0,
  })
  expect(cvRmsePct).toBeCloseTo((100 * Math.sqrt((900 ** 2 + 3 * 300 ** 2) / 5)) / 13_000, 9)
  // Days of 16.9, three of 15.7 and four of 10 MWh, around 13 MWh.
  expect(r2).toBeCloseTo(1 - 1.08 / (3.9 ** 2 + 3 * 2.7 ** 2 + 4 * 3 ** 2), 9)
})

it('reports that a fit is poor if errors are large beside the heat, although the weather explains it', () => {
  const { r2, cvRmsePct, isWithinLimits } = findFitQuality({
    kind: 'fitted',
    line: { baseKwh: 0, slopeKwhK: 1000, changePointC: 0 },
    weather: orderDays(Float64Array.of(-10, -10, 0, 0)),
    residualKwh: Float64Array.of(1000, -1000, 1000, -1000),
    dayCorrelation: 0,
    coldestC: -10,
    warmestC: 0,
  })
  expect(r2).toBeGreaterThan(0.95)
  expect(cvRmsePct).toBeCloseTo(40, 9)
  expect(isWithinLimits).toBe(false)
})
