import { DAY_MS } from '@isotherm/kernel/durations'

/** How long an order may be held, by its word; `until` is an instant of one's own. */
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

/** The server holds no order longer, ms. */
const LONGEST_MS = 366 * DAY_MS

/** What is chosen: a span from now, or an instant as a datetime-local field has it. */
export interface HoldWish {
  readonly choice: HoldChoice
  readonly until: string
}

export const noHold: HoldWish = { choice: 'none', until: '' }

/**
 * Until when to hold, Unix ms; undefined when nothing is to be held, and `'wrong'` for an instant that is past, too
 * far off or none.
 */
export function toHoldUntil({ choice, until }: HoldWish, now: number): number | undefined | 'wrong' {
  if (choice === 'none') return undefined
  if (choice !== 'until') return now + holdSpans[choice] * 1_000
  const at = Date.parse(until)
  return at > now && at - now <= LONGEST_MS ? at : 'wrong'
}
