import type { Clock } from '../../../platform/clock.ts'

/** Subscriptions that an account can open at once; a page opens up to ten, and after a restart of the server all windows open theirs. */
export const AT_ONCE = 100
/** Mean time between further ones, ms. A first answer about a large company takes some 30 ms. */
export const INTERVAL_MS = 100

/** Resolves when the account may open its next subscription. */
export type WaitForPace = (accountId: number) => Promise<void>

/**
 * Lets each account open AT_ONCE subscriptions at once and then one each INTERVAL_MS, over all its connections: their first answers
 * would leave no time for other clients. Further ones wait, in order.
 */
export function createAccountPace(clock: Pick<Clock, 'elapsed' | 'setTimeout'>): WaitForPace {
  /** When the allowance of an account is whole again. */
  const wholeAt = new Map<number, number>()
  return async (accountId) => {
    const now = clock.elapsed()
    const whole = Math.max(wholeAt.get(accountId) ?? now, now) + INTERVAL_MS
    wholeAt.set(accountId, whole)
    const waitMs = whole - now - AT_ONCE * INTERVAL_MS
    if (waitMs > 0) await new Promise<void>((resolve) => clock.setTimeout(resolve, waitMs))
  }
}
