import { within } from '../bounds.ts'
import { meanExcess, signedPower } from './emitter.ts'

/** An emitter within a step, all temperatures as excess over the room, K, and conductances in W/K. */
interface EmitterBalance {
  /** Whether the body is a screed; otherwise it is the water itself. */
  isFloor: boolean
  coefficient: number
  exponent: number
  capacity: number
  /** Heat from the inlet per kelvin above the body, W/K: ṁc, for a floor ṁc·(1 − exp(−UA/ṁc)). 0 without flow. */
  gain: number
  /** The inlet's excess; 0 without flow. */
  inlet: number
  /** The body's excess at the start. */
  start: number
}

/** Result of a step: mean and final excess of the body, K, and heat given off by the water, W. */
interface EmitterResult {
  mean: number
  end: number
  taken: number
}

const MAX_ITERATIONS = 80
/** Largest last Newton step, K; the remaining error is of the order of its square. */
const SMALL_STEP_K = 1e-4
const TOLERANCE_K = 1e-9
/** How far rounding and the remaining error of the iteration may put a final excess outside of its range, as a share of the range. */
const ROUNDING = 1e-9

/** Heat of the body at an excess, W, and its derivative, W/K. Scratch, written by `emitAt`. */
const law = { given: 0, slope: 0 }

/** Derivative of the mean excess by the body's excess; 1 if the body has one temperature. */
function meanSlope(inlet: number, body: number, mean: number): number {
  if (mean === body) return 1
  if (Math.abs(inlet - body) < 1e-4 * Math.abs(body)) return 0.5
  return ((mean / body - 1) * mean) / (inlet - body)
}

function emitAt(e: EmitterBalance, x: number): void {
  const mean = e.isFloor ? x : meanExcess(e.inlet, x)
  law.given = e.coefficient * signedPower(mean, e.exponent)
  const perMean = mean === 0 ? (e.exponent === 1 ? e.coefficient : 0) : (e.exponent * law.given) / mean
  law.slope = perMean * meanSlope(e.inlet, x, mean)
}

/**
 * The body's excess x with inertia·(start − x) + gain·(inlet − x) = K·mean(x)^n. The left side falls and the right side
 * rises with x, so there is one solution, between `lowest` and `highest`. Expects `law` at the start.
 */
function solveBody(e: EmitterBalance, inertia: number, lowest: number, highest: number): number {
  let low = lowest
  let high = highest
  let x = e.start
  for (let i = 0; i < MAX_ITERATIONS; i++) {
    const value = inertia * (e.start - x) + e.gain * (e.inlet - x) - law.given
    if (value > 0) low = x
    else high = x
    const step = value / (inertia + e.gain + law.slope)
    const next = x + step
    const isInside = next >= low && next <= high
    if (isInside && Math.abs(step) < SMALL_STEP_K) return next
    x = isInside ? next : (low + high) / 2
    if (high - low < TOLERANCE_K) return x
    emitAt(e, x)
  }
  return x
}

/** Point of the step at which the balance is solved: θ = 1/(1 − e^−z) − 1/z is exact for a linear emitter and any step. */
function fittedShare(z: number): number {
  return z < 1e-3 ? 0.5 + z / 12 : 1 / (1 - Math.exp(-z)) - 1 / z
}

/**
 * Advances an emitter by `stepS` with constant inlet and room: exact for a linear law, of second order otherwise. The result is
 * bounded by inlet, room and start for any step, and energy is conserved.
 */
export function solveEmitterStep(e: EmitterBalance, stepS: number, result: EmitterResult): void {
  const inertia = e.capacity / stepS
  const low = Math.min(e.start, 0, e.inlet)
  const high = Math.max(e.start, 0, e.inlet)
  emitAt(e, e.start)
  const { given, slope } = law
  const share = fittedShare((e.gain + slope) / inertia)
  result.mean = solveBody(e, inertia / share, low, high)
  result.end = e.start + (result.mean - e.start) / share
  const isRounding = Math.abs(result.end - within(result.end, low, high)) <= ROUNDING * (high - low)
  if (isRounding) result.end = within(result.end, low, high)
  else {
    law.given = given
    law.slope = slope
    result.mean = solveBody(e, inertia, low, high)
    result.end = result.mean
  }
  result.taken = e.gain * (e.inlet - result.mean)
}
