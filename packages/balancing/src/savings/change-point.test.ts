import { createRandom, sampleNormal } from '@isotherm/kernel/random'
import { expect, it } from 'vitest'
import { type ChangePointLine, fitChangePoint, heatAt, orderDays } from './change-point.ts'

const TRUE: ChangePointLine = { baseKwh: 900, slopeKwhK: 260, changePointC: 13.5 }
const from = (outdoorC: Float64Array): Float64Array => outdoorC.map((at) => heatAt(TRUE, at))

it('finds the line of a worked example: days from −12 to 20 °C, 900 kWh above 13.5 °C, 260 kWh/K below', () => {
  const outdoorC = Float64Array.from({ length: 33 }, (_, day) => ((day * 14) % 33) - 12)
  const heat = from(outdoorC)
  expect(heat[0]).toBeCloseTo(900 + 260 * 25.5, 9)
  const line = fitChangePoint(orderDays(outdoorC), heat)
  expect(line.baseKwh).toBeCloseTo(900, 6)
  expect(line.slopeKwhK).toBeCloseTo(260, 6)
  expect(line.changePointC).toBeCloseTo(13.5, 6)
})

it('is a straight line, with the change point at the warmest day, if no day is above the change point', () => {
  const outdoorC = Float64Array.from({ length: 30 }, (_, day) => -14 + 0.8 * day)
  const line = fitChangePoint(orderDays(outdoorC), from(outdoorC))
  expect(line.changePointC).toBeCloseTo(9.2, 9)
  expect(line.slopeKwhK).toBeCloseTo(260, 6)
  expect(heatAt(line, -20)).toBeCloseTo(heatAt(TRUE, -20), 6)
})

it('has no larger squares than a fine grid of change points', () => {
  const random = createRandom(4)
  const squaresOf = (line: ChangePointLine, outdoorC: Float64Array, heat: Float64Array): number =>
    heat.reduce((sum, value, day) => sum + (value - heatAt(line, outdoorC[day] ?? 0)) ** 2, 0)
  for (let trial = 0; trial < 20; trial++) {
    const outdoorC = Float64Array.from({ length: 40 }, () => -12 + 32 * random())
    const heat = from(outdoorC).map((value) => value + sampleNormal(random, 0, 400))
    const found = squaresOf(fitChangePoint(orderDays(outdoorC), heat), outdoorC, heat)
    for (let changePointC = 0; changePointC <= 20; changePointC += 0.05) {
      if (outdoorC.filter((at) => at < changePointC).length < 10) continue
      const x = outdoorC.map((at) => Math.max(0, changePointC - at))
      const meanOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / 40
      const [mx, my] = [meanOf(x), meanOf(heat)]
      const slopeKwhK =
        x.reduce((sum, value, day) => sum + (value - mx) * ((heat[day] ?? 0) - my), 0) /
        x.reduce((sum, value) => sum + (value - mx) ** 2, 0)
      const tried = { baseKwh: my - slopeKwhK * mx, slopeKwhK, changePointC }
      expect(found).toBeLessThanOrEqual(squaresOf(tried, outdoorC, heat) * (1 + 1e-9))
    }
  }
})

/** 33 days from −12 to 20 °C in any order, with 900 kWh above a change point and 260 kWh/K below it. */
function fitFrom(changePointC: number): ChangePointLine {
  const outdoorC = Float64Array.from({ length: 33 }, (_, day) => ((day * 14) % 33) - 12)
  const heat = outdoorC.map((at) => heatAt({ ...TRUE, changePointC }, at))
  return fitChangePoint(orderDays(outdoorC), heat)
}

it('needs ten days below the change point, so that a few of the coldest make no line', () => {
  // The tenth coldest day is at −3 °C.
  expect(fitFrom(-2.5).changePointC).toBeCloseTo(-2.5, 6)
  expect(fitFrom(-7.5).changePointC).toBeGreaterThanOrEqual(-3)
})

it('is constant for heat that the weather does not change', () => {
  const outdoorC = Float64Array.from({ length: 33 }, (_, day) => ((day * 14) % 33) - 12)
  const line = fitChangePoint(
    orderDays(outdoorC),
    outdoorC.map(() => 700),
  )
  expect(line.slopeKwhK).toBeCloseTo(0, 9)
  for (const at of [-20, 0, 20]) expect(heatAt(line, at)).toBeCloseTo(700, 6)
})
