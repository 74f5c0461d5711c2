import { MAX_LOG_DAYS } from '@isotherm/contract/endpoints/administration/operations'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'

/** Lengths of the ranges that end now, ms. */
const presetsMs = { '24h': 24 * HOUR_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS, '365d': 365 * DAY_MS } as const
export type LogPreset = keyof typeof presetsMs
export const logPresets = Object.keys(presetsMs) as readonly LogPreset[]

/** The range of a search: up to now, or between two instants (Unix ms, `to` excluded). */
export type LogRange =
  | { readonly kind: 'last'; readonly preset: LogPreset }
  | { readonly kind: 'fixed'; readonly from: number; readonly to: number }

const DEFAULT_PRESET: LogPreset = '7d'

/** A fixed range; undefined unless both ends are valid, in order, and not farther apart than a search allows. */
export const findFixedRange = (from: number, to: number): LogRange | undefined =>
  Number.isSafeInteger(from) && Number.isSafeInteger(to) && from < to && to - from <= MAX_LOG_DAYS * DAY_MS
    ? { kind: 'fixed', from, to }
    : undefined

export function parseLogRange(text: string | undefined): LogRange {
  const preset = logPresets.find((each) => each === text)
  if (preset) return { kind: 'last', preset }
  const [from, to] = (text ?? '').split('~').map((part) => (part === '' ? Number.NaN : Number(part)))
  return findFixedRange(from ?? Number.NaN, to ?? Number.NaN) ?? { kind: 'last', preset: DEFAULT_PRESET }
}

/** The range in the address; undefined for the default range. */
export function toLogRangeText(range: LogRange): string | undefined {
  if (range.kind === 'fixed') return `${range.from}~${range.to}`
  return range.preset === DEFAULT_PRESET ? undefined : range.preset
}

/** The span to search. A range up to now begins at a whole minute, so that the query key stays stable. */
export function toLogSpan(range: LogRange, now: number): { readonly from: number; readonly to?: number } {
  if (range.kind === 'fixed') return { from: range.from, to: range.to }
  const from = now - presetsMs[range.preset]
  return { from: from - (from % 60_000) }
}
