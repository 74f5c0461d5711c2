import { expect, it } from 'vitest'
import { generatePlant } from '../foreign/plant/generate-plant.ts'
import { startPlant, stepPlant } from '../foreign/plant/plant.ts'
import { atComfort, comfortOf, degreeHoursAt } from './equal-comfort.ts'
import { createWinter } from './season-weather.ts'
import { addStep, createTally, roomQuantile, stationHeatW, type Tally } from './tally.ts'

const STEP_S = 600
/** A tally of rooms at whole degrees. */
function tallyOf(roomsC: readonly number[], heatKwh: number, coldKh = 0): Tally {
  const tally = createTally(0, 1)
  for (const room of roomsC)
    tally.rooms[Math.round(room / 0.02)] = 1 + (tally.rooms[Math.round(room / 0.02)] ?? 0)
  return Object.assign(tally, { heatKwh, coldKh })
}

it('counts heat, pump and rooms of the steps between its instants', () => {
  const plant = startPlant(generatePlant({ seed: 5 }), createWinter(5, STEP_S, 2))
  plant.temps.airC.fill(20)
  plant.temps.airC[0] = 15
  plant.temps.airC[1] = 25
  const tally = createTally(STEP_S, 2 * STEP_S)
  stepPlant(plant)
  addStep(tally, plant)
  expect(tally.heatKwh).toBe(0)
  stepPlant(plant)
  addStep(tally, plant)
  const { flows, spec } = plant
  expect(tally.heatKwh).toBeCloseTo(stationHeatW(plant) / 6000, 9)
  // 1 kPa at 1 m³/s is 1 kW in the water; the pump takes 1/0.65 of it.
  const pumpKw = ((flows.headPa + spec.pump.exchanger * flows.totalKgS ** 2) * flows.totalKgS) / 990.2 / 650
  expect(tally.pumpKwh).toBeCloseTo(pumpKw / 6, 9)
  const cold = plant.temps.airC.reduce((sum, room) => sum + Math.max(0, 18 - room), 0)
  const hot = plant.temps.airC.reduce((sum, room) => sum + Math.max(0, room - 22), 0)
  expect(cold).toBeGreaterThan(1)
  expect(hot).toBeGreaterThan(1)
  expect(tally.coldKh).toBeCloseTo(cold / 6, 9)
  expect(tally.hotKh).toBeCloseTo(hot / 6, 9)
  stepPlant(plant)
  addStep(tally, plant)
  expect(tally.coldKh).toBeCloseTo(cold / 6, 9)
})

it('finds the temperature below which a share of rooms is', () => {
  const tally = tallyOf(
    Array.from({ length: 100 }, (_, index) => 15 + index / 10),
    0,
  )
  expect(roomQuantile(tally, 0.05)).toBeCloseTo(15.42, 2)
  expect(roomQuantile(tally, 0.5)).toBeCloseTo(19.92, 2)
})

it('takes energy at equal comfort from the line through two seasons: 9000 kWh at 18.5 °C', () => {
  const seasons = [tallyOf([18], 8800, 1000), tallyOf([19], 9200, 10)] as const
  const comfortC = comfortOf(seasons[0]) + 0.5
  expect(atComfort(comfortC, seasons, ({ heatKwh }) => heatKwh)).toBeCloseTo(9000, 6)
  expect(degreeHoursAt(comfortC, seasons, ({ coldKh }) => coldKh)).toBeCloseTo(100, 6)
})
