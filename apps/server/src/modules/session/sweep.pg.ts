import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { repeatUntilDone } from '../../platform/tasks/repeat-until-done.ts'
import { FORGET_AFTER_MS, KNOWN_FOR_MS } from './sign-in/attempts.ts'

/** Rows that one statement deletes, and locks at the same time. */
const BATCH_SIZE = 1_000

/**
 * Deletes at most one batch of matching rows and returns their number. Skips rows that are locked, so it cannot
 * deadlock with a sign-in that locks the same rows in another order.
 */
async function sweepBatch(db: Database, table: string, condition: RawBuilder<boolean>): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${condition}
      limit ${BATCH_SIZE} for update skip locked))`.execute(db)
  return Number(numAffectedRows)
}

const sweepAll = (db: Database, table: string, condition: RawBuilder<boolean>): Promise<number> =>
  repeatUntilDone(() => sweepBatch(db, table, condition), { batchSize: BATCH_SIZE })

/** Deletes sessions that started before an instant and whose tokens all expired before it. */
export async function sweepSessions(db: Database, before: Date): Promise<void> {
  const isOld = sql<boolean>`created_at < ${before}
    and not exists (select from token where token.session_id = session.id and token.expires_at >= ${before})`
  await sweepAll(db, 'session', isOld)
}

/** Deletes failed sign-ins that no longer count, and addresses where accounts are no longer known. */
export async function sweepAttempts(db: Database, now: Date): Promise<void> {
  const before = (ms: number): Date => new Date(now.getTime() - ms)
  const forgotten = sql<boolean>`last_at < ${before(FORGET_AFTER_MS)} and blocked_until < ${now}`
  const unknown = sql<boolean>`last_at < ${before(KNOWN_FOR_MS)}`
  await sweepAll(db, 'login_attempt', forgotten)
  await sweepAll(db, 'login_known', unknown)
}
