import { HOUR_MS } from '@isotherm/kernel/durations'

/** How far back the log is shown, by name. */
const presetsMs = { '24h': 24 * HOUR_MS, '7d': 168 * HOUR_MS, '30d': 720 * HOUR_MS } as const
export type LogPreset = keyof typeof presetsMs | 'all'
export const logPresets: readonly LogPreset[] = ['24h', '7d', '30d', 'all']

/** Which time the log is shown of: up to now, or between two instants (Unix ms, the second not included). */
export type LogRange =
  | { readonly kind: 'last'; readonly preset: LogPreset }
  | { readonly kind: 'fixed'; readonly from: number; readonly to: number }

const standard: LogRange = { kind: 'last', preset: '7d' }

/** A range between two instants; nothing when they are none or the first is not before the second. */
export const findFixedRange = (from: number, to: number): LogRange | undefined =>
  Number.isSafeInteger(from) && Number.isSafeInteger(to) && from < to
    ? { kind: 'fixed', from, to }
    : undefined

export function parseLogRange(text: string | null): LogRange {
  const preset = logPresets.find((each) => each === text)
  if (preset) return { kind: 'last', preset }
  const [from, to] = (text ?? '').split('~').map((part) => (part === '' ? Number.NaN : Number(part)))
  return findFixedRange(from ?? Number.NaN, to ?? Number.NaN) ?? standard
}

export const toLogRangeText = (range: LogRange): string => {
  if (range.kind === 'fixed') return `${range.from}~${range.to}`
  return range.preset === '7d' ? '' : range.preset
}

/** What the server is asked for; a range up to now begins at a whole minute, so that it can be asked for again. */
export function toLogSpan(range: LogRange, now: number): { readonly from?: number; readonly to?: number } {
  if (range.kind === 'fixed') return { from: range.from, to: range.to }
  if (range.preset === 'all') return {}
  const from = now - presetsMs[range.preset]
  return { from: from - (from % 60_000) }
}
