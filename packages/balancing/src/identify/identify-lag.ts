import { mean } from '@isotherm/kernel/statistics'

/** What a consumer's return did around a move of its valve. */
export interface MoveResponse {
  /** Since the valve moved, s; negative before. */
  readonly atS: readonly number[]
  /** Return beside what others did at the time, K. */
  readonly valueK: readonly number[]
}

/**
 * `lag`: time constant that fits best, and the longest that fits nearly as well, s. `not-identified`: the return did not move
 * by more than its noise: nothing is on its way, unless the emitter is so slow that it has hardly begun. `too-few`: too little
 * was read since water came to tell that.
 */
export type LagOutcome =
  | { readonly kind: 'lag'; readonly lagS: number; readonly mostS: number }
  | { readonly kind: 'not-identified' | 'too-few' }

/** From thin radiators to thick screeds, s; each a fifth longer than the one before. */
const LAGS_S = Array.from({ length: 26 }, (_, index) => 600 * 1.2 ** index)
/** Fewer readings tell no curve. */
const LEAST_READINGS = 8
/** A smaller swing is how households and thermometers sway, K. */
const LEAST_SWING_K = 0.3
/** F of two parameters beside a constant, and of what is as good as the best: readings in a row are not independent. */
const TELLING = 12
const AS_GOOD = 4

/** Least squares of a value against one shape and a constant: what is left, and how far it swings. */
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
 * Time constant of an emitter from how its return followed a move: y = y0 + A·(1 − e^(−(t − d)/τ)), d until water has come, s.
 * Worked example: identify-lag.test.ts.
 */
export function identifyLag({ atS, valueK }: MoveResponse, transportS: number): LagOutcome {
  const after = atS.filter((at) => at > transportS)
  if (after.length < LEAST_READINGS) return { kind: 'too-few' }
  const fits = LAGS_S.map((lagS) => {
    const shape = atS.map((at) => 1 - Math.exp(-Math.max(0, at - transportS) / lagS))
    return { lagS, seenShare: shape.at(-1) ?? 0, ...fit(shape, valueK) }
  })
  const best = fits.reduce((one, other) => (other.left < one.left ? other : one))
  const noise = best.left / Math.max(1, valueK.length - 3)
  const isSwing = Math.abs(best.swingK * best.seenShare) > LEAST_SWING_K
  if (!isSwing || best.all - best.left <= TELLING * noise) return { kind: 'not-identified' }
  const asGood = fits.filter(({ left }) => left <= best.left + AS_GOOD * noise)
  return { kind: 'lag', lagS: best.lagS, mostS: asGood.at(-1)?.lagS ?? best.lagS }
}
