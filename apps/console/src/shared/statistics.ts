/** Where the middle of a set of values is, and how far they are from it. */
export interface Moments {
  readonly count: number
  readonly mean: number
  /** Population standard deviation σ, in the unit of the values. */
  readonly deviation: number
}

/** How a set of values is spread, with linearly interpolated percentiles. */
export interface Spread extends Moments {
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

/** Moments of the finite values, which need no sorting; undefined when there is none. */
export function computeMoments(values: Iterable<number>): Moments | undefined {
  const finite = [...values].filter(Number.isFinite)
  const count = finite.length
  if (count === 0) return undefined
  const mean = finite.reduce((sum, value) => sum + value, 0) / count
  const variance = finite.reduce((sum, value) => sum + (value - mean) ** 2, 0) / count
  return { count, mean, deviation: Math.sqrt(variance) }
}

/** Spread of the finite values; undefined when there is none. */
export function computeSpread(values: Iterable<number>): Spread | undefined {
  const ascending = [...values].filter(Number.isFinite).toSorted((a, b) => a - b)
  const moments = computeMoments(ascending)
  return (
    moments && {
      ...moments,
      p5: toQuantile(ascending, 0.05),
      median: toQuantile(ascending, 0.5),
      p95: toQuantile(ascending, 0.95),
    }
  )
}

/** Sum of the finite values; undefined when there is none, so that nothing is not shown as zero. */
export function computeSum(values: Iterable<number>): number | undefined {
  let sum: number | undefined
  for (const value of values) if (Number.isFinite(value)) sum = (sum ?? 0) + value
  return sum
}
