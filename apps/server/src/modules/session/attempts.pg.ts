import { sql, type Transaction } from 'kysely'
import { AppError } from '../../platform/app-error.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.pg.ts'
import type { Log } from '../../platform/log.ts'
import type { Tables } from '../../platform/tables.ts'
import {
  accountSlowDown,
  addressSlowDown,
  FORGET_AFTER_MS,
  KNOWN_FOR_MS,
  pairSlowDown,
  type SlowDown,
  toWaitS,
} from './attempts.ts'
import { toNetworkOf } from './network-of.ts'
import { sweepAttempts } from './sweep.pg.ts'

/** An attempt that was counted as failed. */
export interface LoginAttempt {
  /** Takes it back: the password was right. The account is known at this address from now on. */
  succeed(): Promise<void>
}

/** Counts failed logins for all replicas and over restarts. */
export interface LoginAttempts {
  /**
   * Counts an attempt as failed before it is checked, so that many at once cannot slip through. Throws
   * session.slowed, without counting, while a wait is on.
   */
  begin(account: string, address: string): Promise<LoginAttempt>
}

interface Counter {
  readonly key: string
  readonly slowDown: SlowDown
}

const SWEEP_EVERY_MS = 10 * 60 * 1000

export function createLoginAttempts(db: Database, clock: Clock, log: Log): LoginAttempts {
  let sweptAt = Number.NEGATIVE_INFINITY

  async function count(
    transaction: Transaction<Tables>,
    { key, slowDown }: Counter,
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

  async function isKnown(account: string, network: string, now: Date): Promise<boolean> {
    const row = await db
      .selectFrom('login_known')
      .select('account')
      .where('account', '=', account)
      .where('network', '=', network)
      .where('last_at', '>', new Date(now.getTime() - KNOWN_FOR_MS))
      .executeTakeFirst()
    return row !== undefined
  }

  /**
   * Forgets what no longer counts, also while nobody signs in and somebody only guesses. Nobody waits for it:
   * whether it succeeds does not matter to who signs in.
   */
  function sweepWhenDue(now: Date): void {
    if (now.getTime() - sweptAt < SWEEP_EVERY_MS) return
    sweptAt = now.getTime()
    sweepAttempts(db, now).catch((error: unknown) => {
      log.warn({ err: error }, 'cannot forget old failed sign-ins, trying again later')
    })
  }

  return {
    async begin(account, address) {
      const begun = new Date(clock.now())
      const network = toNetworkOf(address)
      sweepWhenDue(begun)
      const pair: Counter = { key: JSON.stringify({ account, network }), slowDown: pairSlowDown }
      // The wide counters come first and in one order, so that two attempts never wait for each other.
      const wide: readonly Counter[] = (await isKnown(account, network, begun))
        ? []
        : [
            { key: JSON.stringify({ network }), slowDown: addressSlowDown },
            { key: JSON.stringify({ account }), slowDown: accountSlowDown },
          ]
      await db.transaction().execute(async (transaction) => {
        for (const counter of [...wide, pair]) await count(transaction, counter, begun)
      })

      return {
        async succeed() {
          const now = new Date(clock.now())
          // One statement: each of its own would wait for the disk. Of the wide counters only this attempt's own
          // count goes: a guesser who owns one account must not clear the others' with it.
          await sql`
            with forgotten as (delete from login_attempt where key = ${pair.key}),
            eased as (
              update login_attempt set failures = greatest(failures - 1, 0), blocked_until = ${now}
              where key = any(${wide.map(({ key }) => key)}::text[]))
            insert into login_known (account, network, last_at) values (${account}, ${network}, ${now})
            on conflict (account, network) do update set last_at = excluded.last_at`.execute(db)
        },
      }
    },
  }
}
