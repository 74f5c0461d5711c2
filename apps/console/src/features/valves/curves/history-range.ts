import { MAX_HISTORY_DAYS } from '@isotherm/contract/endpoints/telemetry'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'

/** Ranges that end now and move with it, by their word in the address, s. */
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

/** Either follows now or stands still. Instants in Unix ms; `from` is included, `to` is not. */
export type HistoryRange =
  | { readonly kind: 'last'; readonly preset: RangePreset }
  | { readonly kind: 'fixed'; readonly from: number; readonly to: number }

const DEFAULT_RANGE: HistoryRange = { kind: 'last', preset: '1h' }

/** Shortest range a chart can be zoomed to, ms. */
const MIN_RANGE_MS = 10_000
const MAX_RANGE_MS = MAX_HISTORY_DAYS * DAY_MS

/** A standing range within what the server answers, or undefined when it is none. */
export function findFixedRange(from: number, to: number): HistoryRange | undefined {
  const start = Math.round(from)
  const end = Math.round(to)
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end)) return undefined
  const spanMs = end - start
  return spanMs >= MIN_RANGE_MS && spanMs <= MAX_RANGE_MS
    ? { kind: 'fixed', from: start, to: end }
    : undefined
}

/** Reads `1h` or `{from}-{to}` in Unix ms; anything else is the last hour. */
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

/** The same days a year before in the viewer's zone, and how much later the given ones are, ms. */
export function toYearBefore({ from, to }: { readonly from: number; readonly to: number }) {
  const before = new Date(from)
  before.setFullYear(before.getFullYear() - 1)
  const laterMs = from - before.getTime()
  return { from: before.getTime(), to: to - laterMs, laterMs }
}

/** Which way a chart's range is changed by its buttons. */
export type RangeMove = 'earlier' | 'later' | 'in' | 'out'

/**
 * The range moved by half its span or zoomed by two around its middle, as a standing one; the same range
 * when it cannot go further, and nothing after `now` (Unix ms).
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

/** What a range is shown by: its readings, or their hours or local days. */
export type HistoryLevel = 'raw' | 'hour' | 'day'

/** Longer ranges go by the hours, and longer ones by the days, that the server sums up, ms. */
const LONGEST_RAW_MS = 3 * DAY_MS
const LONGEST_HOURLY_MS = 62 * DAY_MS

/** Length of a bucket of a level, ms; of a day the usual one. */
export const bucketMs = { hour: HOUR_MS, day: DAY_MS } as const

export function toLevel(range: HistoryRange): HistoryLevel {
  const spanMs = range.kind === 'fixed' ? range.to - range.from : rangePresets[range.preset] * 1_000
  if (spanMs <= LONGEST_RAW_MS) return 'raw'
  return spanMs <= LONGEST_HOURLY_MS ? 'hour' : 'day'
}
