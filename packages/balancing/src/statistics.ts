/** Numbers of a sample; NaN stands for "not known" and is left out everywhere. `undefined` where nothing is left. */

/** Known values, in order of size. */
export function sortKnown(values: ArrayLike<number>): Float64Array {
  return Float64Array.from(values)
    .filter((value) => !Number.isNaN(value))
    .sort()
}

/** Σ w·x/Σ w over the known; equal weights when none are given. */
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

/** √(Σ w·(x − mean)²/Σ w) over the known: the spread of all there are, not an estimate from a few. */
export function weightedDeviation(
  values: ArrayLike<number>,
  weights?: ArrayLike<number>,
): number | undefined {
  const mean = weightedMean(values, weights)
  if (mean === undefined) return undefined
  const squares = Float64Array.from(values, (value) => (value - mean) ** 2)
  return Math.sqrt(weightedMean(squares, weights) ?? 0)
}

/** The value that a share 0..1 of the known lie below, straight lines between neighbours. */
export function quantile(values: ArrayLike<number>, share: number): number | undefined {
  const sorted = sortKnown(values)
  if (sorted.length === 0) return undefined
  const along = Math.min(1, Math.max(0, share)) * (sorted.length - 1)
  const below = Math.floor(along)
  const from = sorted[below] ?? 0
  return from + ((sorted[below + 1] ?? from) - from) * (along - below)
}

export const median = (values: ArrayLike<number>): number | undefined => quantile(values, 0.5)

/** Share of the known values for which something holds, 0..1. */
export function shareWhere(values: ArrayLike<number>, holds: (value: number) => boolean): number | undefined {
  const known = sortKnown(values)
  return known.length === 0 ? undefined : known.filter(holds).length / known.length
}

/**
 * Gini coefficient of values >= 0: mean difference of two of them over twice their mean. 0 when all are equal, towards
 * 1 when one has everything. With x sorted and i from 1: G = 2·Σ i·xᵢ/(n·Σ xᵢ) − (n + 1)/n.
 */
export function gini(values: ArrayLike<number>): number | undefined {
  const sorted = sortKnown(values)
  const count = sorted.length
  const sum = sorted.reduce((total, value) => total + value, 0)
  if (count === 0 || !(sum > 0)) return undefined
  const ranked = sorted.reduce((total, value, index) => total + (index + 1) * value, 0)
  return (2 * ranked) / (count * sum) - (count + 1) / count
}
