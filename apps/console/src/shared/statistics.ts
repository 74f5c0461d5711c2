/** How a set of values is spread: population standard deviation and linearly interpolated percentiles. */
export interface Spread {
  readonly count: number
  readonly mean: number
  /** Population standard deviation σ, in the unit of the values. */
  readonly deviation: number
  readonly p5: number
  readonly median: number
  readonly p95: number
}

/** The p-quantile (p from 0 to 1) of ascending values, interpolated between neighbours; NaN of nothing. */
export function toQuantile(ascending: readonly number[], p: number): number {
  if (ascending.length === 0) return Number.NaN
  const position = Math.min(1, Math.max(0, p)) * (ascending.length - 1)
  const below = Math.floor(position)
  const low = ascending[below] ?? Number.NaN
  const high = ascending[below + 1] ?? low
  return low + (high - low) * (position - below)
}

/** Spread of the finite values; undefined when there is none. */
export function computeSpread(values: Iterable<number>): Spread | undefined {
  const ascending = [...values].filter(Number.isFinite).toSorted((a, b) => a - b)
  const count = ascending.length
  if (count === 0) return undefined
  const mean = ascending.reduce((sum, value) => sum + value, 0) / count
  const variance = ascending.reduce((sum, value) => sum + (value - mean) ** 2, 0) / count
  return {
    count,
    mean,
    deviation: Math.sqrt(variance),
    p5: toQuantile(ascending, 0.05),
    median: toQuantile(ascending, 0.5),
    p95: toQuantile(ascending, 0.95),
  }
}

/** Sum of the finite values; undefined when there is none, so that nothing is not shown as zero. */
export function computeSum(values: Iterable<number>): number | undefined {
  let sum: number | undefined
  for (const value of values) if (Number.isFinite(value)) sum = (sum ?? 0) + value
  return sum
}
