/**
 * Well-mixed water and wall at the outlet of a pipe: fed at `feed` 1/s (flow over capacity), losing `rate` 1/s of its excess
 * over the ground. Spreads a front as the film between water and wall does.
 */
export interface OutletStore {
  /** Excess over the ground, K. */
  excess: number
  /** ∫ excess dt of the last stretch, K·s. */
  sum: number
}

/** Mean of exp(−x·s) for s from 0 to 1. */
export const meanDecay = (x: number): number => (x < 1e-9 ? 1 - x / 2 : -Math.expm1(-x) / x)

/**
 * Lets water in for `lengthS` seconds whose excess over the ground is `inflow`·exp(−`fade`·t), with `fade` 0 or `rate`:
 * exact. `sum` is then ∫ excess dt.
 */
export function feedStore(
  store: OutletStore,
  inflow: number,
  fade: number,
  feed: number,
  rate: number,
  lengthS: number,
): void {
  const settling = feed + rate
  const followed = feed > 0 ? (inflow * feed) / (settling - fade) : 0
  const rest = store.excess - followed
  store.sum = lengthS * (followed * meanDecay(fade * lengthS) + rest * meanDecay(settling * lengthS))
  store.excess = followed * Math.exp(-fade * lengthS) + rest * Math.exp(-settling * lengthS)
}
