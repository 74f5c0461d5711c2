import { sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
// Adds this module's tables to those the database knows.
import type {} from '../tables.ts'
import { RETAIN_CODES_MS, type SentCode, TRIES, toWaitMs } from './verification-limits.ts'

export interface CodeOwner {
  readonly tel: string
  readonly accountId: number
}

/** Stores that a code will be sent, and returns its id. It is valid only after setCode. Throws request.too-many. */
export const addCode = (db: Database, { tel, accountId }: CodeOwner, now: number): Promise<number> =>
  db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext('isotherm verification'))`.execute(transaction)
    await transaction
      .deleteFrom('verification_code')
      .where('sent_at', '<', new Date(now - RETAIN_CODES_MS))
      .execute()
    const sent = await sql<{ tel: string; accountId: number; sentAt: Date }>`
      select tel, account_id as "accountId", sent_at as "sentAt" from verification_code
      where tel = ${tel} or account_id = ${accountId}`.execute(transaction)
    const isTo = (sent: SentCode): boolean => sent.tel === tel
    const all = sent.rows.map(({ sentAt, ...row }) => ({ ...row, sentAt: sentAt.getTime() }))
    const waitMs = toWaitMs(
      { toNumber: all.filter(isTo), byCaller: all.filter((row) => row.accountId === accountId) },
      now,
    )
    if (waitMs > 0) throw new AppError('request.too-many', { retryAfterS: Math.ceil(waitMs / 1000) })
    const { id } = await transaction
      .insertInto('verification_code')
      .values({
        tel,
        account_id: accountId,
        code_hash: '',
        sent_at: new Date(now),
        expires_at: new Date(now),
        used_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })

export async function setCode(
  db: Database,
  id: number,
  code: { readonly hash: string; readonly expiresAt: number },
): Promise<void> {
  await db
    .updateTable('verification_code')
    .set({ code_hash: code.hash, expires_at: new Date(code.expiresAt) })
    .where('id', '=', id)
    .execute()
}

/** Invalidates a code that could not be sent. */
export async function withdrawCode(db: Database, id: number): Promise<void> {
  await sql`update verification_code set expires_at = sent_at where id = ${id}`.execute(db)
}

/** Counts a try of the newest code; undefined when it is no longer valid or no try is left. */
export async function countTry(
  db: Database,
  { tel, accountId }: CodeOwner,
  now: number,
): Promise<{ id: number; hash: string } | undefined> {
  const { rows } = await sql<{ id: number; hash: string }>`
    update verification_code set tries = tries + 1
    where id = (
      select id from verification_code where tel = ${tel} and account_id = ${accountId} order by id desc limit 1)
      and used_at is null and expires_at > ${new Date(now)} and tries < ${TRIES}
    returning id, code_hash as hash`.execute(db)
  return rows[0]
}

/** Marks a code as used, in the transaction of the change that needs it. Throws verification.wrong when it was used meanwhile. */
export async function useCode(transaction: Transaction<Tables>, id: number, now: number): Promise<void> {
  const used = await transaction
    .updateTable('verification_code')
    .set({ used_at: new Date(now) })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!used) throw new AppError('verification.wrong')
}
