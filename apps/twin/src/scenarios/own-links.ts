import { createRandom } from '@isotherm/kernel/random'
import { valveImei } from './layouts/demo-numbers.ts'
import type { StationSpec } from './scenario.ts'

/** Separates the random numbers of radios from the others. */
const RADIOS = 6_000_000

/**
 * Gives a share of the heating valves their own NB-IoT radio; the IMEI of the radio becomes the valve's serial. The seed
 * alone selects the valves.
 */
export function assignOwnLinks(stations: readonly StationSpec[], share: number, seed: number): StationSpec[] {
  const random = createRandom(seed + RADIOS)
  let number = 0
  return stations.map((station) => ({
    ...station,
    units: station.units.map((unit) => {
      number++
      const isChosen = random() < share && station.heating !== undefined
      return isChosen ? { ...unit, hasOwnLink: true, valveSerial: valveImei(seed, number) } : unit
    }),
  }))
}
