import type { Scenario } from '../scenarios/scenario.ts'
import { createStationPlant, type StationPlant, stepStation } from './station-plant.ts'
import { createWeather, internalGains, type Weather } from './weather.ts'

/** A company's network in simulated time. */
export interface Plant {
  readonly scenario: Scenario
  readonly weather: Weather
  readonly stations: readonly StationPlant[]
  /** Simulated seconds since the scenario's first midnight. */
  simTimeS: number
}

/** Longer steps are cut: within one, radiators and valves are taken as steady. */
const MAX_STEP_S = 300
const START_HOUR = 8
const WARM_UP_DAYS = 2

/** Moves everything on by any number of simulated seconds. */
export function stepPlant(plant: Plant, durationS: number): void {
  const parts = Math.max(1, Math.ceil(durationS / MAX_STEP_S))
  const stepS = durationS / parts
  for (let part = 0; part < parts; part++) {
    plant.simTimeS += stepS
    const around = { outdoorC: plant.weather(plant.simTimeS), gainsWM2: internalGains(plant.simTimeS) }
    for (const station of plant.stations) stepStation(station, around, stepS)
  }
}

/**
 * The scenario's plant, at first steps cold from rough guesses. With `warmUp` it first lives through some days, so that
 * walls and rooms are where the openings have brought them.
 */
export function createPlant(scenario: Scenario, warmUp: 'warm-up' | 'cold' = 'warm-up'): Plant {
  const weather = createWeather(scenario.seed)
  const start = (WARM_UP_DAYS * 24 + START_HOUR) * 3600
  const begin = warmUp === 'warm-up' ? START_HOUR * 3600 : start
  const stations = scenario.stations.map((spec) => createStationPlant(spec, weather(begin)))
  const plant: Plant = { scenario, weather, stations, simTimeS: begin }
  while (plant.simTimeS < start) stepPlant(plant, MAX_STEP_S)
  return plant
}
