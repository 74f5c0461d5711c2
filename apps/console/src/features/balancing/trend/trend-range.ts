import { HOUR_MS } from '@isotherm/kernel/durations'

/** Ranges that end now, by name in the address, ms. */
const lengths = {
  '1h': HOUR_MS,
  '6h': 6 * HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 168 * HOUR_MS,
  '30d': 720 * HOUR_MS,
} as const
export type TrendRange = keyof typeof lengths
export const trendRanges: readonly TrendRange[] = ['1h', '6h', '24h', '7d', '30d']
/** Range that is loaded first, and shown if it has no points. */
export const DEFAULT_RANGE: TrendRange = '24h'

/** The half-open span of a range at `now`, Unix ms. */
export const toTrendSpan = (
  range: TrendRange,
  now: number,
): { readonly from: number; readonly to: number } => ({
  from: now - lengths[range],
  to: now,
})

/** Shortest range that covers all points before `to`, which are in order of time; the default range without points. */
export function toFirstRange(
  points: readonly { readonly at: number }[],
  { to }: { readonly to: number },
): TrendRange {
  const first = points[0]?.at ?? Number.NEGATIVE_INFINITY
  return trendRanges.find((range) => to - lengths[range] <= first) ?? DEFAULT_RANGE
}
