import { MINUTE_MS } from '@isotherm/kernel/durations'
import { type HistoryRange, rangePresets } from './history-range.ts'

/** A range that ends now is fetched again after this share of its span, so that it stays evenly downsampled. */
const REFRESH_SHARE = 1 / 20
const MIN_REFRESH_MS = MINUTE_MS
/** Delay after a failed fetch, ms. */
const RETRY_MS = 10_000

/**
 * Time until the next fetch of a range, ms; false for a fixed range. `fetchedAt`: last fetch, Unix ms. Readings that were
 * appended since do not count.
 */
export function toRefreshInMs(range: HistoryRange, fetchedAt: number, now: number): number | false {
  if (range.kind === 'fixed') return false
  const periodMs = Math.max(MIN_REFRESH_MS, rangePresets[range.preset] * 1_000 * REFRESH_SHARE)
  return Math.max(RETRY_MS, fetchedAt + periodMs - now)
}
