import { isDeviceFault } from '../faults/fault.ts'
import { createFaultBoard, type FaultBoard } from '../faults/fault-board.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { recordCircuitFaults } from './plant-faults.ts'
import { createStationPlant, type StationPlant, setDry, stepStation } from './station-plant.ts'
import { createWeather, type Weather } from './weather.ts'

/** A company's network in simulated time. */
export interface Plant {
  readonly scenario: Scenario
  readonly weather: Weather
  readonly stations: readonly StationPlant[]
  /** Faults of plant and devices. */
  readonly faults: FaultBoard
  /** Simulated seconds since the scenario's first midnight. */
  simTimeS: number
  /** Revision of the faults that are applied to the circuits. */
  appliedFaults: number
}

/** Longest step, s: valves and pipes count as steady within a step, so longer steps are divided. */
const MAX_STEP_S = 300
const START_HOUR = 8
const WARM_UP_DAYS = 2
/** A large company is only warmed up for a quarter of a day: its walls start near their steady state. */
const LARGE_FLATS = 20_000
const LARGE_WARM_UP_S = 6 * 3600
/** Step of the warm-up: half an hour. */
const WARM_UP_STEP_S = 1800

/** Simulated second at which every scenario starts: 8:00 of the third day. */
export const START_S = (WARM_UP_DAYS * 24 + START_HOUR) * 3600

function recordFaults(plant: Plant): void {
  plant.faults.advance(plant.simTimeS)
  if (plant.faults.revision() === plant.appliedFaults) return
  for (const station of plant.stations) {
    if (recordCircuitFaults(station.circuitFaults, station.spec, plant.faults)) station.isValvesMoved = true
    setDry(station, plant.faults.find(station.spec.stationSerial, 'dry-well') !== undefined)
  }
  plant.appliedFaults = plant.faults.revision()
}

function stepAll(plant: Plant, stepS: number): void {
  plant.simTimeS += stepS
  recordFaults(plant)
  const sky = plant.weather(plant.simTimeS)
  for (const station of plant.stations) stepStation(station, sky, plant.simTimeS, stepS)
}

/** Advances the plant by simulated seconds; 0 has no effect. */
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
 * The plant of a scenario, starting from rough estimates. With `warm-up` it is first simulated for some days, so that walls
 * and rooms match the openings. A number is a simulated second at which it begins instead, without a warm-up.
 */
export function createPlant(scenario: Scenario, start: 'warm-up' | 'cold' | number = 'warm-up'): Plant {
  const weather = createWeather(scenario.weather, scenario.seed)
  const begin = typeof start === 'number' ? start : start === 'warm-up' ? warmUpFrom(scenario) : START_S
  const { outdoorC } = weather(begin)
  const plant: Plant = {
    scenario,
    weather,
    stations: scenario.stations.map((spec) => createStationPlant(spec, outdoorC)),
    faults: createFaultBoard(scenario.faults.filter(isDeviceFault), begin),
    simTimeS: begin,
    appliedFaults: -1,
  }
  while (start === 'warm-up' && plant.simTimeS < START_S)
    stepAll(plant, Math.min(WARM_UP_STEP_S, START_S - plant.simTimeS))
  return plant
}
