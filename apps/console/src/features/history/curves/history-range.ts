import { MAX_HISTORY_DAYS } from '@isotherm/contract/endpoints/monitoring/telemetry'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { addDays, toDayNumber } from '../../../shared/format/zone-days.ts'

/** Lengths of the ranges that end now, by their name in the address, s. */
export const rangePresets = {
  '15m': 15 * 60,
  '1h': 3_600,
  '6h': 6 * 3_600,
  '24h': 24 * 3_600,
  '7d': 7 * 86_400,
  '30d': 30 * 86_400,
  '1y': 365 * 86_400,
} as const
export type RangePreset = keyof typeof rangePresets
export const rangePresetNames: readonly RangePreset[] = ['15m', '1h', '6h', '24h', '7d', '30d', '1y']

/** A range that ends now, or a fixed one. Instants in Unix ms; `from` is included, `to` is not. */
export type HistoryRange =
  | { readonly kind: 'last'; readonly preset: RangePreset }
  | { readonly kind: 'fixed'; readonly from: number; readonly to: number }

const DEFAULT_RANGE: HistoryRange = { kind: 'last', preset: '1h' }

/** Shortest range a chart can be zoomed to, ms. */
const MIN_RANGE_MS = 10_000
const MAX_RANGE_MS = MAX_HISTORY_DAYS * DAY_MS

/** A fixed range; undefined if it is empty, too short or longer than the server accepts. */
export function findFixedRange(from: number, to: number): HistoryRange | undefined {
  const start = Math.round(from)
  const end = Math.round(to)
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end)) return undefined
  const spanMs = end - start
  return spanMs >= MIN_RANGE_MS && spanMs <= MAX_RANGE_MS
    ? { kind: 'fixed', from: start, to: end }
    : undefined
}

/** Parses `1h` or `{from}-{to}` in Unix ms. Any other text means the last hour. */
export function parseRange(text: string | null): HistoryRange {
  const preset = rangePresetNames.find((name) => name === text)
  if (preset) return { kind: 'last', preset }
  const [, from, to] = /^(\d{1,15})-(\d{1,15})$/.exec(text ?? '') ?? []
  return (from && to && findFixedRange(Number(from), Number(to))) || DEFAULT_RANGE
}

export const toRangeText = (range: HistoryRange): string =>
  range.kind === 'last' ? range.preset : `${range.from}-${range.to}`

/** The half-open span of a range at `now`, Unix ms. */
export const toSpan = (range: HistoryRange, now: number): { readonly from: number; readonly to: number } =>
  range.kind === 'fixed'
    ? { from: range.from, to: range.to }
    : { from: now - rangePresets[range.preset] * 1_000, to: now }

/** The same days of the plant one year before. `days`: number of days between both spans. */
export function toYearBefore(
  { from, to }: { readonly from: number; readonly to: number },
  timeZone: string,
): { readonly from: number; readonly to: number; readonly days: number } {
  const day = toDayNumber(from, timeZone)
  const before = new Date(day * DAY_MS)
  before.setUTCFullYear(before.getUTCFullYear() - 1)
  const days = day - before.getTime() / DAY_MS
  const start = addDays(from, -days, timeZone)
  return { from: start, to: start + to - from, days }
}

/** The buttons that change the range of a chart. */
export type RangeMove = 'earlier' | 'later' | 'in' | 'out'

/**
 * The range moved by half its span, or zoomed by two around its middle, as a fixed range that ends at `now` (Unix ms) at
 * the latest. Returns the same range if it cannot go further.
 */
export function moveRange(range: HistoryRange, move: RangeMove, now: number): HistoryRange {
  const { from, to } = toSpan(range, now)
  const half = (to - from) / 2
  const [start, end] = {
    earlier: [from - half, to - half],
    later: [from + half, to + half],
    in: [from + half / 2, to - half / 2],
    out: [from - half, to + half],
  }[move]
  const beyond = Math.max(0, (end ?? to) - now)
  return findFixedRange((start ?? from) - beyond, (end ?? to) - beyond) ?? range
}

/** Resolution of a range: readings, hours or local days. */
export type HistoryLevel = 'raw' | 'hour' | 'day'

/** Longest ranges shown by readings and by hours, ms. Longer ones are shown by days. */
const LONGEST_RAW_MS = 3 * DAY_MS
const LONGEST_HOURLY_MS = 62 * DAY_MS

/** Length of a bucket, ms. A day with a clock change has another length. */
export const bucketMs = { hour: HOUR_MS, day: DAY_MS } as const

export function toLevel(range: HistoryRange): HistoryLevel {
  const spanMs = range.kind === 'fixed' ? range.to - range.from : rangePresets[range.preset] * 1_000
  if (spanMs <= LONGEST_RAW_MS) return 'raw'
  return spanMs <= LONGEST_HOURLY_MS ? 'hour' : 'day'
}
