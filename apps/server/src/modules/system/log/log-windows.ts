import { HOUR_MS } from '@isotherm/kernel/durations'

const GROWTH = 2

/** A half-open range of time, Unix ms. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/**
 * Splits a range into pieces from its end to its start. The first piece is an hour long and each next one twice as
 * long: most searches end near the end of the range, and a quiet log needs few steps.
 */
export function* splitBackwards({ from, to }: TimeRange): Generator<TimeRange> {
  let end = to
  for (let length = HOUR_MS; end > from; length *= GROWTH) {
    const start = Math.max(from, end - length)
    yield { from: start, to: end }
    end = start
  }
}
