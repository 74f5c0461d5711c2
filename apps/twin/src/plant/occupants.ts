import { DAY_S, secondOfDay } from './second-of-day.ts'

/** Solar gain: share of the sun on a south wall per floor area (windows, glass and shade together), m² per m². */
const SUN_APERTURE = 0.01
/** W/m² of floor. */
const BASE_GAIN = 1.5
const EVENING_GAIN = 1.5
/** Gain while nobody is at home. */
const AWAY_GAIN = 0.5
/** On average one of this many flats is empty on a day. */
const AWAY_EVERY = 12
/** Windows open above this temperature, °C; heat loss per m² and kelvin above it, W/K. */
const WINDOW_OPENS_C = 24.5
const WINDOW_W_K_M2 = 0.6

/** A reproducible random number for a flat and a day, 0..2^32. */
function mix(flat: number, day: number): number {
  let mixed = Math.imul(flat ^ Math.imul(day, 0x9e3779b1), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** Whether a flat is empty on the day of a simulated second. */
const isAway = (flat: number, simTimeS: number): boolean =>
  mix(flat, Math.floor(simTimeS / DAY_S)) % AWAY_EVERY === 0

/** Gains of people and appliances in W/m² at a simulated second, with somebody at home. */
export function peopleGain(simTimeS: number): number {
  const hour = secondOfDay(simTimeS) / 3600
  return BASE_GAIN + (hour >= 18 && hour < 22 ? EVENING_GAIN : 0)
}

/** Heat gain of the air of a flat from people (`peopleGain`) and sun, W/m². */
export const gainOf = (flat: number, simTimeS: number, people: number, sunWM2: number): number =>
  (isAway(flat, simTimeS) ? AWAY_GAIN : people) + SUN_APERTURE * sunWM2

/** Heat loss of a too warm flat through open windows, W/m². */
export function windowLoss(airC: number, outdoorC: number): number {
  if (airC <= WINDOW_OPENS_C || outdoorC >= airC) return 0
  const width = Math.min(1, airC - WINDOW_OPENS_C)
  return WINDOW_W_K_M2 * width * (airC - outdoorC)
}

/** Wind speed of the usual air change, m/s, and additional heat loss per m/s above it, W/K per m². */
const USUAL_WIND_MS = 2.5
const DRAUGHT_W_K_M2 = 0.02

/** Heat loss through cracks by wind above the usual, W/m²; negative in calm air. */
export const draughtLoss = (airC: number, outdoorC: number, windMS: number): number =>
  DRAUGHT_W_K_M2 * (windMS - USUAL_WIND_MS) * (airC - outdoorC)
