import { meanExcess, signedPower } from './emitter.ts'

/** An emitter within a step, all temperatures as excess over the room, K, and conductances in W/K. */
interface EmitterBalance {
  /** Is the body a screed (true) or the water itself? */
  isFloor: boolean
  coefficient: number
  exponent: number
  capacity: number
  /** What the inlet carries per kelvin above the body: ṁc, for a floor ṁc·(1 − exp(−UA/ṁc)). 0 while water stands. */
  gain: number
  inlet: number
  /** The body's excess at the start. */
  start: number
}

/** What a step did to an emitter: the body's excess in the mean and at the end, K, and what the water left there, W. */
interface EmitterResult {
  mean: number
  end: number
  taken: number
}

const MAX_ITERATIONS = 80
/** Of a Newton step: what is left after it is its square. */
const TOLERANCE_K = 1e-6

/** Slope of the mean excess over the body's; 1 where the body is as warm all over. */
function meanSlope(inlet: number, body: number, mean: number): number {
  if (mean === body) return 1
  if (Math.abs(inlet - body) < 1e-4 * Math.abs(body)) return 0.5
  return ((mean / body - 1) * mean) / (inlet - body)
}

/** The body's excess x with inertia·(start − x) + gain·(inlet − x) = K·mean(x)^n: what falls meets what rises, once. */
function solveBody(e: EmitterBalance, inertia: number): number {
  let low = Math.min(e.start, 0, e.gain > 0 ? e.inlet : 0)
  let high = Math.max(e.start, 0, e.gain > 0 ? e.inlet : 0)
  let x = e.start
  for (let i = 0; i < MAX_ITERATIONS; i++) {
    const mean = e.isFloor ? x : meanExcess(e.inlet, x)
    const value =
      inertia * (e.start - x) + e.gain * (e.inlet - x) - e.coefficient * signedPower(mean, e.exponent)
    if (value > 0) low = x
    else high = x
    const slope = inertia + e.gain + emissionSlope(e, x, mean)
    let next = x + value / slope
    if (!(next >= low && next <= high)) next = (low + high) / 2
    if (Math.abs(next - x) < TOLERANCE_K || high - low < TOLERANCE_K) return next
    x = next
  }
  return x
}

function emissionSlope(e: EmitterBalance, x: number, mean: number): number {
  const bySelf = e.coefficient * e.exponent * Math.abs(mean) ** (e.exponent - 1)
  return bySelf * (e.isFloor ? 1 : meanSlope(e.inlet, x, mean))
}

/** Where in the step the balance is drawn: θ = 1/(1 − e^−z) − 1/z makes a linear emitter exact for any step. */
function fittedShare(z: number): number {
  if (!(z < 1e6)) return 1
  return z < 1e-3 ? 0.5 + z / 12 : 1 / (1 - Math.exp(-z)) - 1 / z
}

/**
 * Moves an emitter on by `stepS` with inlet and room as they are: exact where the law is linear, of second order
 * elsewhere, bounded by inlet, room and start for any step, and conserving: what the water left is stored or emitted.
 */
export function solveEmitterStep(e: EmitterBalance, stepS: number, result: EmitterResult): void {
  const inertia = e.capacity / stepS
  const mean = e.isFloor ? e.start : meanExcess(e.inlet, e.start)
  const share = fittedShare((e.gain + emissionSlope(e, e.start, mean)) / inertia)
  result.mean = solveBody(e, inertia / share)
  result.end = e.start + (result.mean - e.start) / share
  const low = Math.min(e.start, 0, e.gain > 0 ? e.inlet : 0)
  const high = Math.max(e.start, 0, e.gain > 0 ? e.inlet : 0)
  if (!(result.end >= low && result.end <= high)) {
    result.mean = solveBody(e, inertia)
    result.end = result.mean
  }
  result.taken = e.gain * (e.inlet - result.mean)
}
