import { createRandom } from '@isotherm/kernel/random'

const DAY_S = 86_400
const MEAN_C = -5
const DAILY_SWING_C = 5
const WARMEST_HOUR = 15

/** Outdoor temperature in °C at a simulated second; pure, so that it needs no state. */
export type Weather = (simTimeS: number) => number

/**
 * A made-up winter: −5 °C on average, 5 K of daily swing with its warmest hour at 15:00, and slow waves of a few days
 * and a few kelvin whose phases come from the seed.
 */
export function createWeather(seed: number): Weather {
  const random = createRandom(seed)
  const waves = [2.3, 4.1, 8.7].map((days) => ({
    rate: (2 * Math.PI) / (days * DAY_S),
    phase: 2 * Math.PI * random(),
    heightC: 0.6 + 0.5 * random(),
  }))
  return (simTimeS) => {
    const hour = (simTimeS % DAY_S) / 3600
    const daily = DAILY_SWING_C * Math.cos((2 * Math.PI * (hour - WARMEST_HOUR)) / 24)
    const slow = waves.reduce(
      (sum, wave) => sum + wave.heightC * Math.sin(wave.rate * simTimeS + wave.phase),
      0,
    )
    return MEAN_C + daily + slow
  }
}

/** Gains of people, appliances and sun in W/m² at a simulated second. */
export function internalGains(simTimeS: number): number {
  const hour = (simTimeS % DAY_S) / 3600
  const evening = hour >= 18 && hour < 22 ? 1.5 : 0
  const sun = hour > 9 && hour < 16 ? 2 * Math.sin((Math.PI * (hour - 9)) / 7) : 0
  return 1.5 + evening + sun
}
