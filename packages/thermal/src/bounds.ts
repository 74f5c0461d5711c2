/**
 * Bounds of inputs, so that finite inputs give finite results: temperatures from absolute zero to above any heating system, °C,
 * and flows up to more than any main has, kg/s.
 */
export const COLDEST_C = -273.15
export const HOTTEST_C = 1000
export const MAX_FLOW_KG_S = 1e6

export const within = (value: number, low: number, high: number): number =>
  Math.min(high, Math.max(low, value))

/** Throws a RangeError for a step that is not positive or not finite. */
export function checkStep(stepS: number): void {
  if (!(stepS > 0 && stepS < Number.POSITIVE_INFINITY)) throw new RangeError(`a step of ${stepS} s`)
}
