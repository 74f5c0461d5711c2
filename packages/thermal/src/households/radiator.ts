import { type Celsius, celsius, type KilogramPerSecond, type Watt, watt } from '@isotherm/kernel/quantities'
import { WATER_HEAT_CAPACITY } from '../water.ts'

/**
 * A heat emitter, Q = coefficient·LMTD^exponent. The coefficient is in W/K^n, the exponent n about 1.3 for radiators
 * (EN 442) and 1.0 to 1.1 for floor heating (EN 1264).
 */
export interface Radiator {
  readonly coefficient: number
  readonly exponent: number
}

/** Mean of two temperature differences of the same sign, K; the arithmetic mean where they are nearly equal. */
export function logMeanDifference(supplySide: number, returnSide: number): number {
  if (supplySide <= 0 || returnSide <= 0) return 0
  const ratio = supplySide / returnSide
  if (Math.abs(ratio - 1) < 1e-4) return (supplySide + returnSide) / 2
  return (supplySide - returnSide) / Math.log(ratio)
}

/** The radiator that gives a design heat at design supply, return and room temperatures. */
export function radiatorForDesign(
  heat: Watt,
  supply: Celsius,
  back: Celsius,
  room: Celsius,
  exponent: number,
): Radiator {
  return { coefficient: heat / logMeanDifference(supply - room, back - room) ** exponent, exponent }
}

const MAX_STEPS = 60
const TOLERANCE_K = 1e-9
/** Above this number of transfer units the water leaves at room temperature, to the last digit. */
const ENDLESS = 1e15

/**
 * Solves ṁ·c·(1 − y) = K'·lmtd(1, y)^n for y, the difference between return and room in units of the difference between
 * supply and room. The left side falls and the right side rises with y, so there is one root. The bracketed secant
 * (Illinois) stays within 0..1.
 */
function solveShare(transfer: number, exponent: number): number {
  if (!(transfer < ENDLESS)) return 0
  const balance = (y: number) => 1 - y - transfer * logMeanDifference(1, y) ** exponent
  let low = 0
  let high = 1
  let atLow = 1
  let atHigh = balance(1)
  let y = 1
  for (let step = 0; step < MAX_STEPS; step++) {
    y = (low * atHigh - high * atLow) / (atHigh - atLow)
    const here = balance(y)
    if (Math.abs(here) < TOLERANCE_K || high - low < TOLERANCE_K) return y
    if (here > 0) {
      low = y
      atLow = here
      atHigh /= 2
    } else {
      high = y
      atHigh = here
      atLow /= 2
    }
  }
  return y
}

/**
 * Return temperature of an emitter at a flow, °C: between room and supply; room temperature without flow. A supply colder
 * than the room is handled by symmetry (the emitter cools).
 * Source: docs/domain/formulas.md, emitter; worked example: radiator.test.ts.
 */
export function returnTemperature(
  radiator: Radiator,
  flow: KilogramPerSecond,
  supply: Celsius,
  room: Celsius,
): Celsius {
  const spread = Math.abs(supply - room)
  if (flow <= 0 || spread === 0) return room
  const transfer = (radiator.coefficient * spread ** (radiator.exponent - 1)) / (flow * WATER_HEAT_CAPACITY)
  return celsius(room + (supply - room) * solveShare(transfer, radiator.exponent))
}

/** Heat that water gives off between two temperatures, W; negative if it is heated. */
export function heatGivenOff(flow: KilogramPerSecond, supply: Celsius, back: Celsius): Watt {
  return watt(flow * WATER_HEAT_CAPACITY * (supply - back))
}

/** Flow for a heat at a temperature drop, kg/s. */
export function flowForHeat(heat: Watt, dropK: number): number {
  return heat / (WATER_HEAT_CAPACITY * dropK)
}
