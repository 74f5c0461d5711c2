import { createRandom, sampleNormal } from '@isotherm/kernel/random'
import { STARTS_S, type Weather } from '../foreign/physics/weather.ts'

const HOUR_S = 3600
const DAY_S = 24 * HOUR_S
/** Course of the year: mean, half range, °C, and the coldest day, counted from the start of a winter. */
const YEAR_C = 8.5
const YEAR_K = 13
const COLDEST_DAY = 60
const YEAR_DAYS = 365
/** Half of the daily range, K, and the warmest hour. */
const DAILY_K = 3.5
const WARMEST_S = 15 * HOUR_S
/** Slow changes: standard deviation, K, and correlation time. */
const SLOW_K = 2
const SLOW_S = 40 * HOUR_S
/** Cold spells: their number in a winter, drop, length, and the time in which they come and go. */
const SPELLS = 5
const SPELL_K = { min: 4, max: 8 } as const
const SPELL_DAYS = { min: 2, max: 6 } as const
const SPELL_EDGE_S = 12 * HOUR_S
/** Clear noon sun on a vertical wall, W/m²; it grows towards spring. */
const NOON_WM2 = 330
const SPRING_GROWTH = 0.3
const SUNRISE_S = 7 * HOUR_S
const SUNSET_S = 17 * HOUR_S

const between = (random: () => number, { min, max }: { readonly min: number; readonly max: number }) =>
  min + (max - min) * random()

/** Share of a cold spell at an instant: 0..1, with smooth edges. */
function spellShare(at: number, fromS: number, untilS: number): number {
  const share = Math.min((at - fromS) / SPELL_EDGE_S, (untilS - at) / SPELL_EDGE_S)
  return Math.min(1, Math.max(0, share))
}

/**
 * Weather of a winter by seed: the course of the year, a daily cycle, slow changes, cold spells of some days, and sun
 * behind clouds that differ from day to day.
 */
export function createWinter(seed: number, stepS: number, days: number): Weather {
  const random = createRandom(1000 * seed + 6011)
  const steps = Math.round((days * DAY_S) / stepS)
  const outdoorC = new Float64Array(steps)
  const sunWM2 = new Float64Array(steps)
  const decay = Math.exp(-stepS / SLOW_S)
  const clear = Array.from({ length: days + 2 }, () => 0.1 + 0.9 * random() ** 1.5)
  const spells = Array.from({ length: SPELLS }, () => {
    const fromS = random() * days * DAY_S
    return { fromS, untilS: fromS + between(random, SPELL_DAYS) * DAY_S, dropK: between(random, SPELL_K) }
  })
  let slow = sampleNormal(random, 0, SLOW_K)
  for (let step = 0; step < steps; step++) {
    const at = step * stepS
    const clock = STARTS_S + at
    const day = at / DAY_S
    slow = decay * slow + Math.sqrt(1 - decay ** 2) * sampleNormal(random, 0, SLOW_K)
    const spellK = spells.reduce(
      (most, { fromS, untilS, dropK }) => Math.max(most, dropK * spellShare(at, fromS, untilS)),
      0,
    )
    outdoorC[step] =
      YEAR_C -
      YEAR_K * Math.cos((2 * Math.PI * (day - COLDEST_DAY)) / YEAR_DAYS) +
      DAILY_K * Math.cos((2 * Math.PI * (clock - WARMEST_S)) / DAY_S) +
      slow -
      spellK
    const past = ((clock % DAY_S) - SUNRISE_S) / (SUNSET_S - SUNRISE_S)
    const height = past > 0 && past < 1 ? Math.sin(Math.PI * past) : 0
    sunWM2[step] =
      NOON_WM2 * height * (clear[Math.floor(clock / DAY_S)] ?? 0) * (1 + (SPRING_GROWTH * day) / days)
  }
  return { stepS, outdoorC, sunWM2 }
}
