import { sql } from 'kysely'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { isCommonPassword } from './passwords/common-passwords.ts'
import { hashPassword, toClientHash } from './sign-in/passwords.ts'

const MIN_PASSWORD_LENGTH = 10

/** Why a password is refused for an administrator; undefined if it is accepted. */
export function findPasswordFault(account: string, password: string): string | undefined {
  const plain = password.toLowerCase()
  if ([...password].length < MIN_PASSWORD_LENGTH)
    return `the password needs at least ${MIN_PASSWORD_LENGTH} characters`
  if (plain.includes(account.toLowerCase())) return 'the password contains the account name'
  const isEasy = isCommonPassword(password) || plain.includes('isotherm')
  return isEasy ? 'the password is too easy to guess' : undefined
}

/** Creates a provider administrator, who sees everything. Returns false if the account exists. */
export async function createAdministrator(db: Database, account: string, password: string): Promise<boolean> {
  const passwordHash = await hashPassword(toClientHash(password))
  return db.transaction().execute(async (transaction) => {
    // Replaces a demo account of the same name: its password is public.
    await transaction
      .deleteFrom('account')
      .where('account', '=', account)
      .where('is_demo', '=', true)
      .execute()
    const added = await transaction
      .insertInto('account')
      .values({
        account,
        name: account,
        password_hash: passwordHash,
        p_account: account,
        sees_all: true,
        kind: 'provider',
      })
      .onConflict((conflict) => conflict.column('account').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!added) return false
    await sql`
      insert into account_role select ${added.id}::bigint, id from role
      where key = case when exists (select from duty) then 'security-administrator' else 'administrator' end`.execute(
      transaction,
    )
    return true
  })
}
