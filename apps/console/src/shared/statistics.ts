import { quantileOfSorted } from '@isotherm/kernel/statistics'

/** Mean and spread of a set of values. */
interface Moments {
  readonly count: number
  readonly mean: number
  /** Population standard deviation σ, in the unit of the values. */
  readonly deviation: number
}

/** Distribution of a set of values, with linearly interpolated percentiles. */
export interface Spread extends Moments {
  readonly p5: number
  readonly median: number
  readonly p95: number
}

/** Accumulates values by Welford's method (Technometrics 4, 1962). Ignores values that are not finite. */
export function tallyMoments() {
  let count = 0
  let mean = 0
  let squares = 0
  return {
    add(value: number): void {
      if (!Number.isFinite(value)) return
      count += 1
      const apart = value - mean
      mean += apart / count
      squares += apart * (value - mean)
    },
    /** Undefined without values. */
    read: (): Moments | undefined =>
      count === 0 ? undefined : { count, mean, deviation: Math.sqrt(squares / count) },
  }
}

/** Distribution of the finite values; undefined without one. */
export function computeSpread(values: Iterable<number>): Spread | undefined {
  const ascending = [...values].filter(Number.isFinite).toSorted((a, b) => a - b)
  const tally = tallyMoments()
  for (const value of ascending) tally.add(value)
  const moments = tally.read()
  return (
    moments && {
      ...moments,
      p5: quantileOfSorted(ascending, 0.05),
      median: quantileOfSorted(ascending, 0.5),
      p95: quantileOfSorted(ascending, 0.95),
    }
  )
}
