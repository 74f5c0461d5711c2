/**
 * Bounds of inputs, so that finite inputs give finite results. Temperatures in °C: from absolute zero to far above those of
 * any heating system. Flow in kg/s: far above that of any pipe.
 */
export const COLDEST_C = -273.15
export const HOTTEST_C = 1000
export const MAX_FLOW_KG_S = 1e6

/** The value, or the bound that it exceeds. */
export const within = (value: number, low: number, high: number): number =>
  Math.min(high, Math.max(low, value))

/** Throws a RangeError for a step that is not positive or not finite. */
export function checkStep(stepS: number): void {
  if (!(stepS > 0 && stepS < Number.POSITIVE_INFINITY)) throw new RangeError(`a step of ${stepS} s`)
}
