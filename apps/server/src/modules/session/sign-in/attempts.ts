import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'

/** What slows down guessing: how many failures are free and how the wait grows with each further one. */
export interface SlowDown {
  readonly freeFailures: number
  readonly longestS: number
}

/** For one account from one address. The same account from elsewhere is not slowed by it. */
export const pairSlowDown: SlowDown = { freeFailures: 5, longestS: 15 * 60 }
/** For one address, whatever the accounts; an office behind one address mistypes more often. */
export const addressSlowDown: SlowDown = { freeFailures: 30, longestS: 15 * 60 }
/** For one account, whatever the addresses: many machines that guess together. */
export const accountSlowDown: SlowDown = { freeFailures: 100, longestS: 15 * 60 }

/** Failures are forgotten when none was added for so long. */
export const FORGET_AFTER_MS = HOUR_MS

/**
 * How long an account is known at an address after it signed in there. Meanwhile neither the failures of its
 * neighbours nor those of strangers elsewhere slow it there; its own do.
 */
export const KNOWN_FOR_MS = 30 * DAY_MS

/** Wait after the given number of failures in a row, s: 1, 2, 4, … up to the longest. */
export function toWaitS(failures: number, { freeFailures, longestS }: SlowDown): number {
  return failures < freeFailures ? 0 : Math.min(longestS, 2 ** Math.min(failures - freeFailures, 30))
}
