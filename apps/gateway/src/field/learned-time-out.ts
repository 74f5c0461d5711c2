/** Bounds of learned time-outs, ms. */
const MIN_MS = 400
const MAX_MS = 10_000
/** Minimum margin above the smoothed response time, ms. */
const MIN_MARGIN_MS = 200
/** Maximum factor by doubling: a device that never answers delays its line no longer than necessary. */
const MAX_FACTOR = 4
const MAX_FIRST_FACTOR = 2

/**
 * Time-out of one device, learned from its response times as TCP does (RFC 6298): the smoothed time plus four times
 * its mean deviation. It doubles while the device is silent.
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
