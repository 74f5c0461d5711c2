import { DAY_MS } from '@isotherm/kernel/durations'

/** Hold durations by name, ms; `until` is a custom instant. */
const holdSpans = {
  '1h': 3_600,
  '4h': 14_400,
  '12h': 43_200,
  '24h': 86_400,
  '3d': 259_200,
  '7d': 604_800,
} as const
export const holdChoices = ['none', '1h', '4h', '12h', '24h', '3d', '7d', 'until'] as const
export type HoldChoice = (typeof holdChoices)[number]

/** Longest hold that the server accepts, ms. */
const LONGEST_MS = 366 * DAY_MS

/** The user's choice: a duration from now, or an instant (`until`) in datetime-local format. */
export interface HoldWish {
  readonly choice: HoldChoice
  readonly until: string
}

export const noHold: HoldWish = { choice: 'none', until: '' }

/** End of the hold, Unix ms; undefined for no hold, `'wrong'` for a past, too late or invalid instant. */
export function toHoldUntil({ choice, until }: HoldWish, now: number): number | undefined | 'wrong' {
  if (choice === 'none') return undefined
  if (choice !== 'until') return now + holdSpans[choice] * 1_000
  const at = Date.parse(until)
  return at > now && at - now <= LONGEST_MS ? at : 'wrong'
}
