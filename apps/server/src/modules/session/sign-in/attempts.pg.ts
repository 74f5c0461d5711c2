import { toNetworkOf } from '@isotherm/kernel/machine/network-of'
import { sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { sweepAttempts } from '../sweep.pg.ts'
import {
  accountSlowDown,
  addressSlowDown,
  FORGET_AFTER_MS,
  KNOWN_FOR_MS,
  pairSlowDown,
  type SlowDown,
  toWaitS,
} from './attempts.ts'

/** An attempt that is counted as failed until it succeeds. */
export interface LoginAttempt {
  /** The password was right: removes the failure. The account is known at this address from now on. */
  succeed(): Promise<void>
  /** The sign-in needs a further step: this attempt does not count as failed, but earlier failures stay counted. */
  forgive(): Promise<void>
}

/** Counts failed logins in the database, for all replicas and across restarts. */
export interface LoginAttempts {
  /**
   * Counts an attempt as failed before the password is checked, so that simultaneous attempts are limited too. Throws
   * session.slowed during a wait; such an attempt is not counted.
   */
  start(account: string, address: string): Promise<LoginAttempt>
}

interface Counter {
  readonly key: string
  readonly slowDown: SlowDown
}

const SWEEP_EVERY_MS = 10 * 60 * 1000

/** Waits after 1, 2, … failures, s. */
const pairWaitsS: readonly number[] = Array.from({ length: 32 }, (_, index) =>
  toWaitS(index + 1, pairSlowDown),
)

export function createLoginAttempts(db: Database, clock: Clock, log: Log): LoginAttempts {
  let sweptAt = Number.NEGATIVE_INFINITY

  async function count(
    transaction: Transaction<Tables>,
    { key, slowDown }: Counter,
    now: Date,
  ): Promise<void> {
    // The update without a change locks the row and returns it, whether it existed or not.
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

  /**
   * Counts in one statement if the account is known at the network and no wait is active, as in nearly every sign-in.
   * The count is visible at once but not yet flushed to disk: a crash of the database loses the failures of the last
   * half second.
   */
  async function countKnown(account: string, network: string, key: string, now: Date): Promise<boolean> {
    const since = (ms: number): Date => new Date(now.getTime() - ms)
    const { rows } = await sql`
      insert into login_attempt as attempt (key, failures, last_at, blocked_until)
      select ${key}::text, 1, ${now}::timestamptz, ${now}::timestamptz from login_known
      where account = ${account} and network = ${network} and last_at > ${since(KNOWN_FOR_MS)}
      on conflict (key) do update set last_at = excluded.last_at,
        failures = case when attempt.last_at < ${since(FORGET_AFTER_MS)} then 1 else attempt.failures + 1 end,
        blocked_until = case when attempt.last_at < ${since(FORGET_AFTER_MS)} then excluded.blocked_until
          else excluded.last_at + make_interval(secs => (${pairWaitsS}::int[])[least(attempt.failures + 1, ${pairWaitsS.length}::int)]) end
      where attempt.blocked_until <= excluded.last_at
      returning set_config('synchronous_commit', 'off', true)`.execute(db)
    return rows.length > 0
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

  /** Deletes outdated failures in the background. Failed attempts start it too, so it runs even if no sign-in succeeds. */
  function sweepWhenDue(now: Date): void {
    if (now.getTime() - sweptAt < SWEEP_EVERY_MS) return
    sweptAt = now.getTime()
    sweepAttempts(db, now).catch((error: unknown) => {
      log.warn({ err: error }, 'cannot delete old failed sign-ins, retrying later')
    })
  }

  return {
    async start(account, address) {
      const startedAt = new Date(clock.now())
      const network = toNetworkOf(address)
      sweepWhenDue(startedAt)
      const pair: Counter = { key: JSON.stringify({ account, network }), slowDown: pairSlowDown }
      const isCounted = await countKnown(account, network, pair.key, startedAt)
      // The wide counters come first and in one order, so that two attempts do not deadlock.
      const wide: readonly Counter[] =
        isCounted || (await isKnown(account, network, startedAt))
          ? []
          : [
              { key: JSON.stringify({ network }), slowDown: addressSlowDown },
              { key: JSON.stringify({ account }), slowDown: accountSlowDown },
            ]
      if (!isCounted) {
        await db.transaction().execute(async (transaction) => {
          for (const counter of [...wide, pair]) await count(transaction, counter, startedAt)
        })
      }

      return {
        async forgive() {
          await db
            .updateTable('login_attempt')
            .set({ failures: sql<number>`greatest(failures - 1, 0)`, blocked_until: new Date(clock.now()) })
            .where(
              'key',
              'in',
              [...wide, pair].map(({ key }) => key),
            )
            .execute()
        },
        async succeed() {
          const now = new Date(clock.now())
          // One statement, because each statement waits for the disk. The wide counters drop by this attempt only:
          // a guesser who owns one account must not clear the failures at the others.
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
