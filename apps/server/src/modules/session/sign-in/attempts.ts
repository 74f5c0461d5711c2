import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'

/** Slow-down of failed sign-ins: the number of failures without a wait, and the longest wait. */
export interface SlowDown {
  readonly freeFailures: number
  readonly maxWaitS: number
}

/** For one account from one address. It does not slow the same account from another address. */
export const pairSlowDown: SlowDown = { freeFailures: 5, maxWaitS: 15 * 60 }
/** For one address and any account. Higher, because many users can share one office address. */
export const addressSlowDown: SlowDown = { freeFailures: 30, maxWaitS: 15 * 60 }
/** For one account and any address: against many machines that guess together. */
export const accountSlowDown: SlowDown = { freeFailures: 100, maxWaitS: 15 * 60 }

/** Failures are forgotten after this time without a new one. */
export const FORGET_AFTER_MS = HOUR_MS

/**
 * How long an account is known at an address after it signed in there. At that address only its own failures slow it,
 * not those of other accounts or from other addresses.
 */
export const KNOWN_FOR_MS = 30 * DAY_MS

/** The wait after a number of consecutive failures, s: 1, 2, 4, … up to the longest. */
export function toWaitS(failures: number, { freeFailures, maxWaitS }: SlowDown): number {
  return failures < freeFailures ? 0 : Math.min(maxWaitS, 2 ** Math.min(failures - freeFailures, 30))
}
