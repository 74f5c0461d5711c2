import { createRandom, sampleNormal } from '@isotherm/kernel/random'

/** Weather in equal steps from the start of a run: °C, and W/m² on a vertical wall of no special orientation. */
export interface Weather {
  readonly stepS: number
  readonly outdoorC: Float64Array
  readonly sunWM2: Float64Array
}

const HOUR_S = 3600
const DAY_S = 24 * HOUR_S
/** Mean of the winter and half of the daily range, °C, and the warmest hour. */
const MEAN_C = -3
const DAILY_K = 3.5
const WARMEST_S = 15 * HOUR_S
/** Slow changes: standard deviation, K, and correlation time. */
const SLOW_K = 1.5
const SLOW_S = 30 * HOUR_S
/** A cold front: its drop, K, and the time that it takes. */
const FRONT_K = 7
const FRONT_S = 10 * HOUR_S
/** Clear noon sun on a vertical wall, W/m², in a day of ten hours. */
const NOON_WM2 = 350
const SUNRISE_S = 7 * HOUR_S
const SUNSET_S = 17 * HOUR_S

/** Clock time at the start of a run, s after midnight. */
export const STARTS_S = 8 * HOUR_S

/**
 * Weather of a winter week by seed: a daily cycle, slow changes, a cold front that begins at `frontS`, and sun behind
 * clouds that differ from day to day.
 */
export function createWeather(seed: number, stepS: number, steps: number, frontS: number): Weather {
  const random = createRandom(seed + 5011)
  const outdoorC = new Float64Array(steps)
  const sunWM2 = new Float64Array(steps)
  const decay = Math.exp(-stepS / SLOW_S)
  const clear = Array.from(
    { length: Math.ceil((steps * stepS) / DAY_S) + 2 },
    () => 0.1 + 0.9 * random() ** 1.5,
  )
  let slow = sampleNormal(random, 0, SLOW_K)
  for (let step = 0; step < steps; step++) {
    const at = step * stepS
    const clock = STARTS_S + at
    slow = decay * slow + Math.sqrt(1 - decay ** 2) * sampleNormal(random, 0, SLOW_K)
    const front = -FRONT_K * Math.min(1, Math.max(0, (at - frontS) / FRONT_S))
    outdoorC[step] = MEAN_C + DAILY_K * Math.cos((2 * Math.PI * (clock - WARMEST_S)) / DAY_S) + slow + front
    const past = ((clock % DAY_S) - SUNRISE_S) / (SUNSET_S - SUNRISE_S)
    const height = past > 0 && past < 1 ? Math.sin(Math.PI * past) : 0
    sunWM2[step] = NOON_WM2 * height * (clear[Math.floor(clock / DAY_S)] ?? 0)
  }
  return { stepS, outdoorC, sunWM2 }
}
