import { expect, it } from 'vitest'
import { createSmall } from '../scenarios/small-scenario.testkit.ts'
import { primarySupply, stepSource } from './heat-source.ts'

const [station] = createSmall().stations
if (station?.heating === undefined) throw new Error('no heat station')
const { heating } = station
const designFlow = station.units.reduce((sum, unit) => sum + unit.designFlow, 0)

const settle = (outdoorC: number, flowKgS: number, returnC: number) => {
  let step = stepSource(heating, { supplyC: 40, returnC, flowKgS }, outdoorC, 60)
  for (let minute = 0; minute < 600; minute++) {
    step = stepSource(heating, { supplyC: step.supplyC, returnC, flowKgS }, outdoorC, 60)
  }
  return step
}

it('follows the heating curve: 48 °C at −10 °C outside', () => {
  expect(settle(-10, designFlow, 39)).toMatchObject({ isShort: false })
  expect(settle(-10, designFlow, 39).supplyC).toBeCloseTo(48, 3)
  expect(settle(5, designFlow, 32).supplyC).toBeLessThan(42)
})

it('draws more primary flow for more heat', () => {
  expect(settle(-10, designFlow, 39).primaryKgS).toBeGreaterThan(1.3 * settle(-10, designFlow, 42).primaryKgS)
})

it('reports a shortage when the required heat exceeds the capacity of the primary valve', () => {
  const step = settle(-20, 2 * designFlow, 39)
  expect(step).toMatchObject({ isShort: true, primaryKgS: heating.maxPrimaryFlow })
  expect(step.supplyC).toBeLessThan(48)
})

it('draws no primary flow when the return is warmer than the target, or without secondary flow', () => {
  expect(stepSource(heating, { supplyC: 40, returnC: 60, flowKgS: designFlow }, 10, 60)).toMatchObject({
    supplyC: 60,
    primaryKgS: 0,
  })
  expect(stepSource(heating, { supplyC: 40, returnC: 40, flowKgS: 0 }, -5, 60).primaryKgS).toBe(0)
})

it('has hotter primary water in colder weather, between 65 and 95 °C', () => {
  expect([-30, -10, 0, 30].map(primarySupply)).toEqual([95, 95, 83, 65])
})
