import { openingRatio } from '@isotherm/kernel/quantities'
import { beforeAll, expect, it } from 'vitest'
import { createNamed } from '../scenarios/create-scenario.ts'
import { pipeLoss } from './heat-balance.testkit.ts'
import { computeImbalance } from './imbalance.ts'
import { createPlant, type Plant, stepPlant } from './plant.ts'
import { moveStem, type StationPlant } from './station-plant.ts'

let plant: Plant
let station: StationPlant

const flowOf = (unit: number): number => station.hydraulics.circuitFlow[unit] ?? Number.NaN
const returnOf = (unit: number): number => station.unitReturnC[unit] ?? Number.NaN

beforeAll(() => {
  plant = createPlant(createNamed('demo'))
  const [first] = plant.stations
  if (first === undefined) throw new Error('the demo has no station')
  station = first
})

it('starts out of balance like real networks, with rooms that people still accept', () => {
  const imbalance = computeImbalance(plant)
  expect(imbalance.sigmaReturnK).toBeGreaterThan(1.5)
  expect(imbalance.sigmaReturnK).toBeLessThan(4)
  expect(imbalance.lowestFlowRatio).toBeLessThan(0.7)
  expect(imbalance.highestFlowRatio).toBeGreaterThan(1.4)
  expect(imbalance.shareUnder18).toBeLessThan(0.1)
})

it('spreads fronts in every pipe by a part of its wall', () => {
  for (const { mixedJK, capacityJK } of [station.supplyPipes, station.returnPipes])
    mixedJK.forEach((mixed, pipe) => {
      const share = mixed / (capacityJK[pipe] ?? Number.NaN)
      expect(share).toBeGreaterThan(0.01)
      expect(share).toBeLessThan(0.3)
    })
})

it('loses 2 to 10 % of its heat in the pipes, like real secondary networks', () => {
  const share = pipeLoss(station) / station.heatW
  expect(share).toBeGreaterThan(0.02)
  expect(share).toBeLessThan(0.1)
})

it('raises flow and return of a unit when its valve opens, and lowers the flow of its neighbours', () => {
  const throttled = 4
  moveStem(station, throttled, openingRatio(0.35))
  stepPlant(plant, 3600)
  const before = { own: flowOf(throttled), neighbour: flowOf(throttled + 1), back: returnOf(throttled) }
  moveStem(station, throttled, openingRatio(0.6))
  stepPlant(plant, 60)
  expect(flowOf(throttled)).toBeGreaterThan(before.own * 1.5)
  expect(flowOf(throttled + 1)).toBeLessThan(before.neighbour)
  stepPlant(plant, 3600)
  expect(returnOf(throttled)).toBeGreaterThan(before.back + 1)
})

it('keeps every room between 12 and 28 °C over a simulated day', () => {
  for (let hour = 0; hour < 24; hour += 3) {
    stepPlant(plant, 3 * 3600)
    for (const { households } of plant.stations.filter(({ spec }) => spec.heating !== undefined)) {
      expect(Math.min(...households.airC)).toBeGreaterThan(12)
      expect(Math.max(...households.airC)).toBeLessThan(28)
    }
  }
})

it('cools a unit with a shut valve while the others stay warm', () => {
  moveStem(station, 0, openingRatio(0))
  stepPlant(plant, 24 * 3600)
  expect(flowOf(0)).toBe(0)
  const cold = station.households.airC[station.firstFlat[0] ?? 0] ?? Number.NaN
  const warm = station.households.airC[station.firstFlat[1] ?? 0] ?? Number.NaN
  expect(cold).toBeLessThan(warm - 2)
})
