import { sql, type Transaction } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'

/** Replaced passwords that are stored of an account: as many as a policy may name. */
const STORED = 24

/** Hashes of the last passwords of an account, newest first; the first one is the present password. */
export async function listEarlierHashes(
  db: Database,
  accountId: number,
  count: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ hash: string }>`
    select password_hash as hash from account where id = ${accountId}
    union all
    (select password_hash from password_history where account_id = ${accountId}
      order by id desc limit ${count - 1})`.execute(db)
  return rows.map(({ hash }) => hash)
}

export interface SetPassword {
  /** Argon2id of the client's hash. */
  readonly hash: string
  /** Whether another person chose it. */
  readonly isGiven: boolean
  /** Unix ms. */
  readonly now: number
}

/** Replaces the password of an account and stores the replaced one in its history. */
export async function setPassword(
  transaction: Transaction<Tables>,
  accountId: number,
  { hash, isGiven, now }: SetPassword,
): Promise<void> {
  await sql`
    insert into password_history (account_id, password_hash, replaced_at)
    select id, password_hash, ${new Date(now)} from account where id = ${accountId}`.execute(transaction)
  await sql`
    delete from password_history where account_id = ${accountId} and id not in (
      select id from password_history where account_id = ${accountId} order by id desc limit ${STORED})`.execute(
    transaction,
  )
  await transaction
    .updateTable('account')
    .set({ password_hash: hash, password_set_at: new Date(now), password_given: isGiven })
    .where('id', '=', accountId)
    .execute()
}
