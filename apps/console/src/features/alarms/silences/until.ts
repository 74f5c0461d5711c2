import { HOUR_MS } from '@isotherm/kernel/durations'

const MORNING_HOUR = 8
/** Longest silence that the server accepts. */
const MAX_MS = 90 * 24 * HOUR_MS

/** Presets for the length of a silence; `morning` means until 8:00. */
export const untilPresets = ['1h', '4h', 'morning', '1d', '3d', '7d'] as const
export type UntilPreset = (typeof untilPresets)[number]

const hours = { '1h': 1, '4h': 4, '1d': 24, '3d': 72, '7d': 168 } as const satisfies Partial<
  Record<UntilPreset, number>
>

/** The next 8:00 in the viewer's time zone that is at least an hour away. */
function findMorning(now: number): number {
  const morning = new Date(now + HOUR_MS)
  if (morning.getHours() >= MORNING_HOUR) morning.setDate(morning.getDate() + 1)
  return morning.setHours(MORNING_HOUR, 0, 0, 0)
}

/** End of a silence that begins now, Unix ms. */
export const toUntil = (preset: UntilPreset, now: number): number =>
  preset === 'morning' ? findMorning(now) : now + hours[preset] * HOUR_MS

/** True if the server accepts the instant as the end of a silence that begins now. */
export const isUntil = (until: number, now: number): boolean =>
  Number.isSafeInteger(until) && until > now && until <= now + MAX_MS
