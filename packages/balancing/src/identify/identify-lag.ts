import { mean } from '@isotherm/kernel/statistics'

/** Response of a consumer's return temperature to a move of its valve. */
export interface MoveResponse {
  /** Time since the valve moved, s; negative before the move. */
  readonly atS: readonly number[]
  /** Return temperature relative to the other consumers, K. */
  readonly valueK: readonly number[]
}

/**
 * `lag`: the time constant with the best fit, and the longest one with nearly as good a fit, s. `not-identified`: the
 * return moved by no more than its noise; either it is settled, or the emitter is so slow that it has hardly started.
 * `too-few`: too few readings since the water arrived.
 */
export type LagOutcome =
  | { readonly kind: 'lag'; readonly lagS: number; readonly maxS: number }
  | { readonly kind: 'not-identified' | 'too-few' }

/** Candidate time constants from thin radiators to thick screeds, s; each 20 % longer than the one before. */
const LAGS_S = Array.from({ length: 26 }, (_, index) => 600 * 1.2 ** index)
/** Minimum number of readings for a fit. */
const MIN_READINGS = 8
/** A smaller swing can come from households and thermometers, K. */
const MIN_SWING_K = 0.3
/**
 * F limits: for two parameters against a constant, and for a fit as good as the best. They are high because
 * successive readings are not independent.
 */
const SIGNIFICANT = 12
const AS_GOOD = 4

/** Least squares of a value against one shape and a constant. Returns the residual sum and the swing. */
function fit(shape: readonly number[], value: readonly number[]) {
  const [shapeMean, valueMean] = [mean(shape), mean(value)]
  let [own, joint, all] = [0, 0, 0]
  for (const [index, each] of value.entries()) {
    const [x, y] = [(shape[index] ?? 0) - shapeMean, each - valueMean]
    own += x * x
    joint += x * y
    all += y * y
  }
  const swingK = own > 0 ? joint / own : 0
  return { swingK, left: all - swingK * joint, all }
}

/**
 * Time constant of an emitter from the response of its return to a move: y = y0 + A·(1 − e^(−(t − d)/τ)); d is the
 * transport time of the water, s. Worked example: identify-lag.test.ts.
 */
export function identifyLag({ atS, valueK }: MoveResponse, transportS: number): LagOutcome {
  const after = atS.filter((at) => at > transportS)
  if (after.length < MIN_READINGS) return { kind: 'too-few' }
  const fits = LAGS_S.map((lagS) => {
    const shape = atS.map((at) => 1 - Math.exp(-Math.max(0, at - transportS) / lagS))
    return { lagS, seenShare: shape.at(-1) ?? 0, ...fit(shape, valueK) }
  })
  const best = fits.reduce((one, other) => (other.left < one.left ? other : one))
  const noise = best.left / Math.max(1, valueK.length - 3)
  const isSwing = Math.abs(best.swingK * best.seenShare) > MIN_SWING_K
  if (!isSwing || best.all - best.left <= SIGNIFICANT * noise) return { kind: 'not-identified' }
  const asGood = fits.filter(({ left }) => left <= best.left + AS_GOOD * noise)
  return { kind: 'lag', lagS: best.lagS, maxS: asGood.at(-1)?.lagS ?? best.lagS }
}
