import { expectReported } from '@isotherm/kernel/verification.testkit'
import { expect, it } from 'vitest'
import { createNamed } from '../scenarios/create-scenario.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { createSmall, small } from '../scenarios/small-scenario.testkit.ts'
import { heatLost, pipeLoss, storedHeat } from './heat-balance.testkit.ts'
import { massError } from './mass-error.testkit.ts'
import { createPlant, type Plant, START_S, stepPlant } from './plant.ts'

const STEP_S = 300
const BOUND = 1e-9
const HOUR_S = 3600

/** All faults that change the water side, each starting and ending within the day. */
const leaky = createSmall({
  name: 'faults of the water',
  floorShare: 0.5,
  faults: [
    { kind: 'bypass', target: small.valve, share: 0.6 },
    { kind: 'private-pump', target: small.otherValve, headPa: 25_000, fromS: START_S + 5 * HOUR_S },
    { kind: 'clogged', target: '11110000000401', factor: 5, untilS: START_S + 9 * HOUR_S },
  ],
})

const sumOf = (plant: Plant, of: (station: Plant['stations'][number]) => number): number =>
  plant.stations.reduce((sum, station) => sum + of(station), 0)

/** Simulates a day and returns its balance. */
function measureDay(scenario: Scenario) {
  const plant = createPlant(scenario, 'cold')
  const before = sumOf(plant, storedHeat)
  let [given, gained, lost, toGround, mass] = [0, 0, 0, 0, 0]
  for (let step = 0; step < 24 * 12; step++) {
    stepPlant(plant, STEP_S)
    given += STEP_S * sumOf(plant, (station) => station.heatW)
    gained += STEP_S * sumOf(plant, (station) => station.gainW)
    lost += STEP_S * sumOf(plant, heatLost)
    toGround += STEP_S * sumOf(plant, pipeLoss)
    mass = Math.max(mass, ...plant.stations.map(massError))
  }
  const stored = sumOf(plant, storedHeat) - before
  const flats = plant.stations.flatMap(({ households }) => Array.from(households.airC))
  return {
    flats: flats.length,
    givenMwh: given / 3.6e9,
    groundShare: toGround / given,
    roomC: flats.reduce((sum, room) => sum + room, 0) / flats.length,
    energy: Math.abs(given + gained - lost - toGround - stored) / given,
    mass,
  }
}

const within = (error: number): string => (error < BOUND ? 'below 1e-9' : error.toExponential(1))

it('closes energy and mass over a day of whole scenarios, also with faults', { timeout: 120_000 }, () => {
  const scenarios = [
    createNamed('demo'),
    ...(['floor-mix', 'cold-snap', 'ring-main'] as const).map((name) => createNamed(name)),
    leaky,
  ]
  const rows = scenarios.map((scenario) => {
    const day = measureDay(scenario)
    expect(day.energy, scenario.name).toBeLessThan(BOUND)
    expect(day.mass, scenario.name).toBeLessThan(BOUND)
    return [
      scenario.name,
      String(day.flats),
      day.givenMwh.toFixed(1),
      `${(100 * day.groundShare).toFixed(1)} %`,
      day.roomC.toFixed(1),
      within(day.energy),
      within(day.mass),
    ]
  })
  expectReported({
    id: 'twin-closure',
    title: 'The twin: energy and mass of whole scenarios over a day',
    about:
      'What exchangers, people and sun gave less what went outside, into the ground and into water, emitters, air and walls, relative to what the exchangers gave; flow into less flow out of the worst node at the worst step, relative to the flow of its station. Bounds 1·10⁻⁹. All stations of a scenario in steps of 300 s from a cold start, every device fault that the scenario brings among them.',
    head: ['scenario', 'flats', 'heat, MWh', 'lost to the ground', 'rooms, °C', 'energy', 'mass'],
    rows,
  })
})
