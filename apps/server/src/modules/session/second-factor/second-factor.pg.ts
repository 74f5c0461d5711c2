import { sql, type Transaction } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'

/** The second factor of an account. */
export interface FactorState {
  /** The sealed key; null before the first start. */
  readonly sealed: Buffer | null
  /** Whether a code was entered after the key was handed out. Only then sign-ins need codes. */
  readonly isOn: boolean
  /** Whether a role of the account, or the rules of its company or of the installation, require it. */
  readonly isRequired: boolean
  readonly recoveryCodesLeft: number
}

export async function readFactor(db: Database, accountId: number): Promise<FactorState> {
  const { rows } = await sql<FactorState>`
    select factor.secret as sealed, factor.confirmed_at is not null as "isOn",
      exists (select from account_role join role on role.id = account_role.role_id
        where account_role.account_id = account.id and role.needs_second_factor)
        or exists (select from password_policy policy where policy.needs_second_factor
          and (policy.company_id is null or policy.company_id = account.company_id)) as "isRequired",
      (select count(*) from recovery_code where recovery_code.account_id = account.id and used_at is null)
        as "recoveryCodesLeft"
    from account left join second_factor factor on factor.account_id = account.id
    where account.id = ${accountId}`.execute(db)
  return rows[0] ?? { sealed: null, isOn: false, isRequired: false, recoveryCodesLeft: 0 }
}

/** Uses the time step of a code. False if this step or a later one was used before: a code works once. */
export async function useStep(db: Database, accountId: number, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('second_factor')
    .set({ last_step: step })
    .where('account_id', '=', accountId)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Uses a recovery code. False for an unknown or used one. */
export async function useRecoveryCode(
  db: Database,
  accountId: number,
  hash: Buffer,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recovery_code')
    .set({ used_at: now })
    .where('account_id', '=', accountId)
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A browser that has just proved the factor for one more sign-in, for example after a change of the password. */
export interface Proof {
  readonly browserHash: Buffer
  readonly until: Date
}

export async function storeProof(
  db: Database,
  accountId: number,
  { browserHash, until }: Proof,
): Promise<void> {
  await db
    .updateTable('second_factor')
    .set({ proof_browser: browserHash, proof_until: until })
    .where('account_id', '=', accountId)
    .execute()
}

/** Uses a stored proof. False without one for the browser. */
export async function useProof(
  db: Database,
  accountId: number,
  browserHash: Buffer,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('second_factor')
    .set({ proof_browser: null, proof_until: null })
    .where('account_id', '=', accountId)
    .where('proof_browser', '=', browserHash)
    .where('proof_until', '>=', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Stores a key that waits for its first code. False if the factor is on. */
export async function startFactor(
  transaction: Transaction<Tables>,
  accountId: number,
  sealed: Buffer,
): Promise<boolean> {
  const { rows } = await sql`
    insert into second_factor as factor (account_id, secret) values (${accountId}, ${sealed})
    on conflict (account_id) do update set secret = excluded.secret, last_step = 0
      where factor.confirmed_at is null
    returning account_id`.execute(transaction)
  return rows.length > 0
}

export interface ConfirmedFactor {
  /** The key that the code was checked with. */
  readonly sealed: Buffer
  readonly codeHashes: readonly Buffer[]
  readonly proof: Proof
  readonly now: Date
}

/**
 * Turns the factor on with new recovery codes. The account's version rises. False if it is on already or has another key
 * meanwhile.
 */
export async function confirmFactor(
  transaction: Transaction<Tables>,
  accountId: number,
  { sealed, codeHashes, proof, now }: ConfirmedFactor,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('second_factor')
    .set({ confirmed_at: now, proof_browser: proof.browserHash, proof_until: proof.until })
    .where('account_id', '=', accountId)
    .where('secret', '=', sealed)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await transaction
    .insertInto('recovery_code')
    .values(codeHashes.map((hash) => ({ account_id: accountId, hash })))
    .execute()
  await touch(transaction, accountId)
  return true
}

/** Turns the factor off and forgets its key and codes. False if there was none. */
export async function removeFactor(transaction: Transaction<Tables>, accountId: number): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('second_factor')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  await transaction.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
  if (numDeletedRows > 0n) await touch(transaction, accountId)
  return numDeletedRows > 0n
}

const touch = (transaction: Transaction<Tables>, accountId: number) =>
  sql`update account set second_factor_rev = second_factor_rev + 1 where id = ${accountId}`.execute(
    transaction,
  )
