import { quantile } from '@isotherm/kernel/statistics'

/** A set of samples. Each sample is an array by consumer, NaN where a consumer has no value. */
type SampleSet = readonly Float64Array[]

/** Quantile of all samples of a set for each consumer; NaN for one without any value. */
const across = (samples: SampleSet, share: number): Float64Array =>
  Float64Array.from(
    samples[0] ?? [],
    (_, i) =>
      quantile(
        samples.map((values) => values[i] ?? Number.NaN),
        share,
      ) ?? Number.NaN,
  )

/** Combines the known values of each consumer. NaN for a consumer without a value in any set, even if `included` has one. */
function combine(
  sets: readonly Float64Array[],
  included: Float64Array | undefined,
  choose: (...values: readonly number[]) => number,
): Float64Array {
  const isKnown = (value: number): boolean => !Number.isNaN(value)
  return Float64Array.from(sets[0] ?? [], (_, i) => {
    const known = sets.map((values) => values[i] ?? Number.NaN).filter(isKnown)
    return known.length > 0 ? choose(...known, ...[included?.[i] ?? Number.NaN].filter(isKnown)) : Number.NaN
  })
}

/**
 * For each consumer the lowest of the quantiles of the sets, or its value in `included` if that is lower. Sets without a value for
 * a consumer are ignored. Worked example: forecast-range.test.ts.
 */
export const lowestOf = (sets: readonly SampleSet[], share: number, included?: Float64Array): Float64Array =>
  combine(
    sets.map((set) => across(set, share)),
    included,
    Math.min,
  )

/** For each consumer the highest of the quantiles of the sets, or its value in `included` if that is higher. */
export const highestOf = (sets: readonly SampleSet[], share: number, included?: Float64Array): Float64Array =>
  combine(
    sets.map((set) => across(set, share)),
    included,
    Math.max,
  )
