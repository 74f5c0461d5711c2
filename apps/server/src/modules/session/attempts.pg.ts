import { sql, type Transaction } from 'kysely'
import { AppError } from '../../platform/app-error.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.pg.ts'
import type { Tables } from '../../platform/tables.ts'
import { accountSlowDown, addressSlowDown, FORGET_AFTER_MS, type SlowDown, toWaitS } from './attempts.ts'

/** Counts failed logins for all replicas and over restarts. */
export interface LoginAttempts {
  /**
   * Counts an attempt as failed before it is checked, so that many at once cannot slip through. Throws
   * session.slowed, without counting, while a wait is on.
   */
  begin(account: string, address: string): Promise<void>
  /** Takes the attempt back: the password was right. */
  succeed(account: string, address: string): Promise<void>
}

const toKeys = (account: string, address: string) => ({
  byAddress: `address ${address}`,
  byBoth: `account ${account} ${address}`,
})

export function createLoginAttempts(db: Database, clock: Clock): LoginAttempts {
  async function count(
    transaction: Transaction<Tables>,
    key: string,
    slowDown: SlowDown,
    now: Date,
  ): Promise<void> {
    // The empty update locks the row and returns it whether it was there before or not.
    const row = await transaction
      .insertInto('login_attempt')
      .values({ key, failures: 0, last_at: now, blocked_until: now })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ key }))
      .returningAll()
      .executeTakeFirstOrThrow()
    const waitMs = row.blocked_until.getTime() - now.getTime()
    if (waitMs > 0) throw new AppError('session.slowed', { retryAfterS: Math.ceil(waitMs / 1000) })
    const isForgotten = now.getTime() - row.last_at.getTime() > FORGET_AFTER_MS
    const failures = isForgotten ? 1 : row.failures + 1
    const blockedUntil = new Date(now.getTime() + toWaitS(failures, slowDown) * 1000)
    await transaction
      .updateTable('login_attempt')
      .set({ failures, last_at: now, blocked_until: blockedUntil })
      .where('key', '=', key)
      .execute()
  }

  return {
    async begin(account, address) {
      const now = new Date(clock.now())
      const { byAddress, byBoth } = toKeys(account, address)
      await db.transaction().execute(async (transaction) => {
        await count(transaction, byAddress, addressSlowDown, now)
        await count(transaction, byBoth, accountSlowDown, now)
      })
    },

    async succeed(account, address) {
      const now = new Date(clock.now())
      const { byAddress, byBoth } = toKeys(account, address)
      await db.deleteFrom('login_attempt').where('key', '=', byBoth).execute()
      // Only its own count goes: a guesser who owns one account must not clear the address with it.
      await db
        .updateTable('login_attempt')
        .set({ failures: sql<number>`greatest(failures - 1, 0)`, blocked_until: now })
        .where('key', '=', byAddress)
        .execute()
      await db
        .deleteFrom('login_attempt')
        .where('last_at', '<', new Date(now.getTime() - FORGET_AFTER_MS))
        .where('blocked_until', '<', now)
        .execute()
    },
  }
}
