import { createRandom, sampleNormal } from '@isotherm/kernel/random'
import { STARTS_S } from '../foreign/physics/weather.ts'
import type { Plant } from '../foreign/plant/plant.ts'

/** What the people of each flat do with their windows. */
export interface People {
  /** Heat loss by ventilation with closed windows, W/K. */
  readonly closedWK: Float64Array
  /** Room temperature at which they tilt a window, °C. */
  readonly tiltC: Float64Array
  /** Whether a window is tilted: 1 or 0. */
  readonly isTilted: Uint8Array
  /** Time of day at which they air, s after midnight. */
  readonly airS: Float64Array
}

const DAY_S = 86_400
const TILT_C = { mean: 23.5, deviation: 1 } as const
/** A tilted window is closed when the room is colder by this, K. */
const CLOSE_K = 1.5
/** Ventilation with a tilted window and with open windows, relative to closed ones. */
const TILTED = 2.5
const OPEN = 6
/** Time for which a flat airs every day. */
const AIRED_S = 900

export function createPeople({ spec }: Plant): People {
  const random = createRandom(1000 * spec.seed + 41)
  const flats = spec.flats.areaM2
  return {
    closedWK: spec.flats.airingWK.slice(),
    tiltC: flats.map(() => sampleNormal(random, TILT_C.mean, TILT_C.deviation)),
    isTilted: new Uint8Array(flats.length),
    airS: flats.map(() => (6 + 15 * random()) * 3600),
  }
}

/** Opens and closes windows for the next step of a plant. */
export function openWindows(people: People, { spec, temps, weather, timeS }: Plant): void {
  const { closedWK, tiltC, isTilted, airS } = people
  const clock = (STARTS_S + timeS) % DAY_S
  const airedShare = Math.min(1, AIRED_S / weather.stepS)
  for (const [flat, roomC] of temps.airC.entries()) {
    const limit = tiltC[flat] ?? 0
    if (roomC > limit) isTilted[flat] = 1
    else if (roomC < limit - CLOSE_K) isTilted[flat] = 0
    const past = clock - (airS[flat] ?? 0)
    const isAired = past >= 0 && past < Math.max(AIRED_S, weather.stepS)
    const factor = (isTilted[flat] === 1 ? TILTED : 1) + (isAired ? airedShare * (OPEN - 1) : 0)
    spec.flats.airingWK[flat] = factor * (closedWK[flat] ?? 0)
  }
}
