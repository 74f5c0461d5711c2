import { MINUTE_MS } from '@isotherm/kernel/durations'
import { type HistoryRange, rangePresets } from './history-range.ts'

/** A following range is asked for anew after this share of its span, so that it stays evenly thinned. */
const REFRESH_SHARE = 1 / 20
const LEAST_REFRESH_MS = MINUTE_MS
/** One that could not be had is asked for again after this, ms. */
const RETRY_MS = 10_000

/**
 * How long until a range is asked for anew, ms, by when it was fetched (Unix ms), whatever joined it since; never while
 * it stands still.
 */
export function toRefreshInMs(range: HistoryRange, fetchedAt: number, now: number): number | false {
  if (range.kind === 'fixed') return false
  const periodMs = Math.max(LEAST_REFRESH_MS, rangePresets[range.preset] * 1_000 * REFRESH_SHARE)
  return Math.max(RETRY_MS, fetchedAt + periodMs - now)
}
