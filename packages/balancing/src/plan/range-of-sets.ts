import { quantile } from '@isotherm/kernel/statistics'

/** A set of samples: one array by consumer for each, NaN where a consumer has no value. */
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

/** Combines the known values of each consumer; NaN for one that no set knows, whatever is included. */
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
 * The lowest quantile of all sets for each consumer, or a value that the range includes anyway if that is lower. A set, or such a
 * value, that does not know a consumer leaves its range to the others. Worked example: forecast-range.test.ts.
 */
export const lowestOf = (sets: readonly SampleSet[], share: number, included?: Float64Array): Float64Array =>
  combine(
    sets.map((set) => across(set, share)),
    included,
    Math.min,
  )

/** The highest quantile of all sets for each consumer, as `lowestOf`. */
export const highestOf = (sets: readonly SampleSet[], share: number, included?: Float64Array): Float64Array =>
  combine(
    sets.map((set) => across(set, share)),
    included,
    Math.max,
  )
