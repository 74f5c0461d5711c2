import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { FORGET_AFTER_MS, KNOWN_FOR_MS } from './sign-in/attempts.ts'

/** Rows deleted by one statement, and so locked at the same time. */
const SWEPT_AT_ONCE = 1_000

/**
 * Deletes at most one batch of the rows that fit, and returns how many. It waits for no row that somebody else
 * holds, so it cannot stand in a circle with a sign-in that locks some of them in an order of its own.
 */
async function sweepBatch(db: Database, table: string, condition: RawBuilder<boolean>): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${condition}
      limit ${SWEPT_AT_ONCE} for update skip locked))`.execute(db)
  return Number(numAffectedRows)
}

/** Deletes sessions that began before an instant, once none of their tokens can still be good after it. */
export async function sweepSessions(db: Database, before: Date): Promise<void> {
  const isOld = sql<boolean>`created_at < ${before}
    and not exists (select from token where token.session_id = session.id and token.expires_at >= ${before})`
  while ((await sweepBatch(db, 'session', isOld)) === SWEPT_AT_ONCE);
}

/** Forgets failed sign-ins that no longer count, and where accounts were known long ago. */
export async function sweepAttempts(db: Database, now: Date): Promise<void> {
  const before = (ms: number): Date => new Date(now.getTime() - ms)
  const forgotten = sql<boolean>`last_at < ${before(FORGET_AFTER_MS)} and blocked_until < ${now}`
  const unknown = sql<boolean>`last_at < ${before(KNOWN_FOR_MS)}`
  while ((await sweepBatch(db, 'login_attempt', forgotten)) === SWEPT_AT_ONCE);
  while ((await sweepBatch(db, 'login_known', unknown)) === SWEPT_AT_ONCE);
}
