/** Bounds of learned time-outs, ms. */
const MIN_MS = 400
const MAX_MS = 10_000
/** Smallest margin over the smoothed time of answers, ms. */
const MIN_MARGIN_MS = 200
/** How often it doubles at most: a device that never answered holds up its line no longer than necessary. */
const MAX_FACTOR = 4
const MAX_FIRST_FACTOR = 2

/**
 * Time-out of one device, learned from its answers as TCP learns that of a connection (RFC 6298): smoothed time and four times its
 * mean deviation. It doubles while the device is silent.
 */
export interface LearnedTimeOut {
  readonly ms: number
  answered(afterMs: number): void
  silent(): void
}

/** `firstMs`: time-out of a device that has not answered yet. A slow bus behind a mobile network needs 2 s. */
export function createLearnedTimeOut(firstMs: number): LearnedTimeOut {
  let smoothedMs: number | undefined
  let deviationMs = 0
  let factor = 1
  return {
    get ms() {
      if (smoothedMs === undefined) return factor * firstMs
      const base = smoothedMs + Math.max(4 * deviationMs, MIN_MARGIN_MS)
      return Math.min(MAX_MS, factor * Math.max(MIN_MS, base))
    },
    answered(afterMs) {
      factor = 1
      if (smoothedMs === undefined) {
        smoothedMs = afterMs
        deviationMs = afterMs / 2
        return
      }
      deviationMs += (Math.abs(afterMs - smoothedMs) - deviationMs) / 4
      smoothedMs += (afterMs - smoothedMs) / 8
    },
    silent() {
      factor = Math.min(factor * 2, smoothedMs === undefined ? MAX_FIRST_FACTOR : MAX_FACTOR)
    },
  }
}
