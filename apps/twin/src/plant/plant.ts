import { isDeviceFault } from '../faults/fault.ts'
import { createFaultBoard, type FaultBoard } from '../faults/fault-board.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { noteCircuitFaults } from './plant-faults.ts'
import { createStationPlant, type StationPlant, stepStation } from './station-plant.ts'
import { createWeather, type Weather } from './weather.ts'

/** A company's network in simulated time. */
export interface Plant {
  readonly scenario: Scenario
  readonly weather: Weather
  readonly stations: readonly StationPlant[]
  /** What is wrong with whom, plant and devices alike. */
  readonly faults: FaultBoard
  /** Simulated seconds since the scenario's first midnight. */
  simTimeS: number
  /** Revision of the faults that the circuits know. */
  faultsNoted: number
}

/** Longer steps are cut: within one, valves and pipes are taken as steady. */
const MAX_STEP_S = 300
const START_HOUR = 8
const WARM_UP_DAYS = 2
/** A large company is warmed up for a quarter of a day only: walls begin near where they belong. */
const LARGE_FLATS = 20_000
const LARGE_WARM_UP_S = 6 * 3600
/** While nobody watches, water may jump by half an hour. */
const WARM_UP_STEP_S = 1800

/** The simulated second at which every scenario begins to be watched: eight in the morning of the third day. */
export const START_S = (WARM_UP_DAYS * 24 + START_HOUR) * 3600

function noteFaults(plant: Plant): void {
  plant.faults.advance(plant.simTimeS)
  if (plant.faults.revision() === plant.faultsNoted) return
  for (const station of plant.stations) {
    if (noteCircuitFaults(station.circuitFaults, station.spec, plant.faults)) station.isValvesMoved = true
  }
  plant.faultsNoted = plant.faults.revision()
}

function stepAll(plant: Plant, stepS: number): void {
  plant.simTimeS += stepS
  noteFaults(plant)
  const sky = plant.weather(plant.simTimeS)
  for (const station of plant.stations) stepStation(station, sky, plant.simTimeS, stepS)
}

/** Moves everything on by any number of simulated seconds; by none, nothing happens. */
export function stepPlant(plant: Plant, durationS: number): void {
  const parts = Math.ceil(durationS / MAX_STEP_S)
  for (let part = 0; part < parts; part++) stepAll(plant, durationS / parts)
}

function warmUpFrom({ stations }: Scenario): number {
  const units = stations.flatMap((station) => station.units)
  const flats = units.reduce((sum, unit) => sum + unit.households.length, 0)
  return flats > LARGE_FLATS ? START_S - LARGE_WARM_UP_S : START_HOUR * 3600
}

/**
 * The scenario's plant, at first steps cold from rough guesses. With `warm-up` it first lives through some days, so
 * that walls and rooms are where the openings have brought them.
 */
export function createPlant(scenario: Scenario, warmUp: 'warm-up' | 'cold' = 'warm-up'): Plant {
  const weather = createWeather(scenario.weather, scenario.seed)
  const begin = warmUp === 'warm-up' ? warmUpFrom(scenario) : START_S
  const { outdoorC } = weather(begin)
  const plant: Plant = {
    scenario,
    weather,
    stations: scenario.stations.map((spec) => createStationPlant(spec, outdoorC)),
    faults: createFaultBoard(scenario.faults.filter(isDeviceFault), begin),
    simTimeS: begin,
    faultsNoted: -1,
  }
  while (plant.simTimeS < START_S) stepAll(plant, Math.min(WARM_UP_STEP_S, START_S - plant.simTimeS))
  return plant
}
