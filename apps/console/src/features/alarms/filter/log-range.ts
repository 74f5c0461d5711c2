import { HOUR_MS } from '@isotherm/kernel/durations'

/** Lengths of the ranges that end now, ms. */
const presetsMs = { '24h': 24 * HOUR_MS, '7d': 168 * HOUR_MS, '30d': 720 * HOUR_MS } as const
export type LogPreset = keyof typeof presetsMs | 'all'
export const logPresets: readonly LogPreset[] = ['24h', '7d', '30d', 'all']

/** The range of the log: up to now, or between two instants (Unix ms, `to` excluded). */
export type LogRange =
  | { readonly kind: 'last'; readonly preset: LogPreset }
  | { readonly kind: 'fixed'; readonly from: number; readonly to: number }

const DEFAULT_RANGE: LogRange = { kind: 'last', preset: '7d' }

/** A fixed range; undefined unless both are valid and `from` is before `to`. */
export const findFixedRange = (from: number, to: number): LogRange | undefined =>
  Number.isSafeInteger(from) && Number.isSafeInteger(to) && from < to
    ? { kind: 'fixed', from, to }
    : undefined

export function parseLogRange(text: string | null): LogRange {
  const preset = logPresets.find((each) => each === text)
  if (preset) return { kind: 'last', preset }
  const [from, to] = (text ?? '').split('~').map((part) => (part === '' ? Number.NaN : Number(part)))
  return findFixedRange(from ?? Number.NaN, to ?? Number.NaN) ?? DEFAULT_RANGE
}

export const toLogRangeText = (range: LogRange): string => {
  if (range.kind === 'fixed') return `${range.from}~${range.to}`
  return range.preset === '7d' ? '' : range.preset
}

/** The span to fetch. A range up to now begins at a whole minute, so that the query key stays stable. */
export function toLogSpan(range: LogRange, now: number): { readonly from?: number; readonly to?: number } {
  if (range.kind === 'fixed') return { from: range.from, to: range.to }
  if (range.preset === 'all') return {}
  const from = now - presetsMs[range.preset]
  return { from: from - (from % 60_000) }
}
