import { HOUR_MS } from '@isotherm/kernel/durations'

/** Ranges that end now, by their word in the address, ms. */
const lengths = {
  '1h': HOUR_MS,
  '6h': 6 * HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 168 * HOUR_MS,
  '30d': 720 * HOUR_MS,
} as const
export type TrendRange = keyof typeof lengths
export const trendRanges: readonly TrendRange[] = ['1h', '6h', '24h', '7d', '30d']
/** Shown where none was chosen, as far as there are readings. */
export const WIDEST_FIRST_RANGE: TrendRange = '24h'

/** The half-open span of a range at `now`, Unix ms. */
export const toTrendSpan = (
  range: TrendRange,
  now: number,
): { readonly from: number; readonly to: number } => ({
  from: now - lengths[range],
  to: now,
})

/** The shortest range that ends with a span and holds all of its points; the widest of the first ones without points. */
export function toFirstRange(
  points: readonly { readonly at: number }[],
  { to }: { readonly to: number },
): TrendRange {
  const first = points[0]?.at ?? Number.NEGATIVE_INFINITY
  return trendRanges.find((range) => to - lengths[range] <= first) ?? WIDEST_FIRST_RANGE
}
