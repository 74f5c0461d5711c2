import { median } from '@isotherm/kernel/statistics'

/** A value at a time. */
export interface Sample {
  /** Time since the start, h. */
  readonly atH: number
  readonly value: number
}

/**
 * Growth per hour: the median of the slopes between all pairs of samples (Theil-Sen), so that single high samples do not count.
 * Undefined for fewer than three samples.
 */
export function findSlope(samples: readonly Sample[]): number | undefined {
  if (samples.length < 3) return undefined
  const slopes = samples.flatMap((one, index) =>
    samples.slice(index + 1).map((other) => (other.value - one.value) / (other.atH - one.atH)),
  )
  return median(slopes)
}
