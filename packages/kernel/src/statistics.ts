/**
 * Statistics of a sample. Unless stated otherwise NaN means "unknown": unknown values are left out, and the result is
 * undefined if no known value is left.
 */

/** Σ x; NaN if any value is unknown. */
export function sum(values: ArrayLike<number>): number {
  let total = 0
  for (let i = 0; i < values.length; i++) total += values[i] ?? 0
  return total
}

/** Arithmetic mean Σ x/n; NaN if any value is unknown, 0 for an empty sample. */
export const mean = (values: ArrayLike<number>): number => sum(values) / Math.max(1, values.length)

/** Known values in ascending order. */
export function sortKnown(values: ArrayLike<number>): Float64Array {
  return Float64Array.from(values)
    .filter((value) => !Number.isNaN(value))
    .sort()
}

/** Σ w·x/Σ w over the known values; equal weights by default. A value without a positive weight is left out. */
export function weightedMean(values: ArrayLike<number>, weights?: ArrayLike<number>): number | undefined {
  let sum = 0
  let total = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN
    const weight = weights === undefined ? 1 : (weights[i] ?? 0)
    if (Number.isNaN(value) || !(weight > 0)) continue
    sum += weight * value
    total += weight
  }
  return total > 0 ? sum / total : undefined
}

/** Population standard deviation √(Σ w·(x − mean)²/Σ w) of the known values; equal weights by default. */
export function weightedDeviation(
  values: ArrayLike<number>,
  weights?: ArrayLike<number>,
): number | undefined {
  const middle = weightedMean(values, weights)
  if (middle === undefined) return undefined
  const squares = Float64Array.from(values, (value) => (value - middle) ** 2)
  return Math.sqrt(weightedMean(squares, weights) ?? 0)
}

/**
 * Quantile of ascending values, `share` 0..1, with linear interpolation between neighbours (type 7 of Hyndman and Fan,
 * The American Statistician 50, 1996). NaN for an empty sample.
 */
export function quantileOfSorted(ascending: ArrayLike<number>, share: number): number {
  const position = Math.min(1, Math.max(0, share)) * (ascending.length - 1)
  const below = Math.floor(position)
  const from = ascending[below] ?? Number.NaN
  return from + ((ascending[below + 1] ?? from) - from) * (position - below)
}

/** Quantile of the known values, as `quantileOfSorted`. */
export function quantile(values: ArrayLike<number>, share: number): number | undefined {
  const sorted = sortKnown(values)
  return sorted.length === 0 ? undefined : quantileOfSorted(sorted, share)
}

/** Median of the known values: the mean of the two middle values if their number is even. */
export const median = (values: ArrayLike<number>): number | undefined => quantile(values, 0.5)

/** The lower of the two middle values if their number is even, so that the result is always one of the known values. */
export function lowerMedian(values: ArrayLike<number>): number | undefined {
  const sorted = sortKnown(values)
  return sorted[(sorted.length - 1) >> 1]
}

/** Share 0..1 of the known values that meet a condition. */
export function shareWhere(values: ArrayLike<number>, holds: (value: number) => boolean): number | undefined {
  const known = sortKnown(values)
  return known.length === 0 ? undefined : known.filter(holds).length / known.length
}

/**
 * Gini coefficient of values >= 0: mean difference between two values, divided by twice their mean. 0 if all values are
 * equal, close to 1 if one value has nearly the whole sum; undefined if the sum is 0. With x ascending and i from 1:
 * G = 2·Σ i·xᵢ/(n·Σ xᵢ) − (n + 1)/n.
 */
export function gini(values: ArrayLike<number>): number | undefined {
  const sorted = sortKnown(values)
  const count = sorted.length
  const total = sum(sorted)
  if (count === 0 || !(total > 0)) return undefined
  const ranked = sorted.reduce((soFar, value, index) => soFar + (index + 1) * value, 0)
  return (2 * ranked) / (count * total) - (count + 1) / count
}
