import { HOUR_MS } from '@isotherm/kernel/durations'

const GROWTH = 2

/** A half-open range of time, Unix ms. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/**
 * A range from its end to its start in pieces that grow, the first an hour long: what is asked for is mostly
 * near the end, and in a quiet log the start is reached in few steps.
 */
export function* splitBackwards({ from, to }: TimeRange): Generator<TimeRange> {
  let end = to
  for (let length = HOUR_MS; end > from; length *= GROWTH) {
    const start = Math.max(from, end - length)
    yield { from: start, to: end }
    end = start
  }
}
