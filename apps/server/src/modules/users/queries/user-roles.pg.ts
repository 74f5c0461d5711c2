import type { OutputOf } from '@isotherm/contract/endpoint'
import type { getAllUserRoles } from '@isotherm/contract/endpoints/user-roles'
import type { User } from '@isotherm/contract/endpoints/users'
import type { Limiter } from '@isotherm/contract/filter'
import { sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Caller } from '../../../platform/http/call.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { toOffset, toTotal } from '../../../platform/postgres/filter.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { countSeen, isBeyond, seenAccounts } from './managed.pg.ts'
import { rolesOfAccount } from './users.pg.ts'

/**
 * Throws unless the caller may give the roles to an account of the company: role.not-found for one that does
 * not serve it, account.beyond-yours for one that may do more than the caller. None of them is deleted before the
 * transaction ends.
 */
export async function requireGivable(
  transaction: Transaction<Tables>,
  caller: Caller,
  roleIds: readonly number[],
  companyId: number | null,
): Promise<void> {
  const asked = [...new Set(roleIds)]
  const { rows } = await sql<{ name: string; beyond: boolean }>`
    select role.name, exists (
      select from role_permission where role_permission.role_id = role.id and ${isBeyond(caller)}) as beyond
    from role where role.id = any(${asked}::bigint[])
      and (role.company_id is null or role.company_id = ${companyId}) for key share`.execute(transaction)
  if (rows.length < asked.length) throw new AppError('role.not-found')
  const beyond = rows.find((row) => row.beyond)
  if (beyond) throw new AppError('account.beyond-yours', { what: beyond.name })
}

export async function addRoles(
  transaction: Transaction<Tables>,
  accountId: number,
  roleIds: readonly number[],
): Promise<void> {
  await sql`insert into account_role (account_id, role_id)
    select ${accountId}::bigint, unnest(${[...new Set(roleIds)]}::bigint[]) on conflict do nothing`.execute(
    transaction,
  )
}

/** Takes roles away. Throws role.not-found for one the account does not have. */
export async function removeRoles(
  transaction: Transaction<Tables>,
  accountId: number,
  roleIds: readonly number[],
): Promise<void> {
  const asked = [...new Set(roleIds)]
  const removed = await transaction
    .deleteFrom('account_role')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`role_id = any(${asked}::bigint[])`)
    .returning('role_id')
    .execute()
  if (removed.length < asked.length) throw new AppError('role.not-found')
}

/** Gives exactly these roles; true when that changed anything. */
export async function replaceRoles(
  transaction: Transaction<Tables>,
  accountId: number,
  roleIds: readonly number[],
): Promise<boolean> {
  const before = await transaction
    .selectFrom('account_role')
    .select('role_id')
    .where('account_id', '=', accountId)
    .execute()
  const had = new Set(before.map(({ role_id }) => role_id))
  const wanted = new Set(roleIds)
  const gone = [...had].filter((id) => !wanted.has(id))
  if (gone.length > 0) await removeRoles(transaction, accountId, gone)
  await addRoles(transaction, accountId, roleIds)
  return gone.length > 0 || wanted.size > had.size || [...wanted].some((id) => !had.has(id))
}

export async function listRoles(transaction: Transaction<Tables>, accountId: number): Promise<User['roles']> {
  const { rows } = await sql<{ roles: User['roles'] }>`
    select ${rolesOfAccount} as roles from account where account.id = ${accountId}`.execute(transaction)
  return rows[0]?.roles ?? []
}

export async function listUserRoles(
  db: Database,
  caller: Caller,
  limiter: Limiter,
): Promise<OutputOf<typeof getAllUserRoles>> {
  const seen = seenAccounts(caller)
  const joined = sql`join account_role on account_role.account_id = seen.id`
  type Row = OutputOf<typeof getAllUserRoles>['datalist'][number]
  const { rows } = await sql<Row & { readonly total: number }>`${seen}
    select account.id as uid, account.account, account.name, role.id as "roleId", role.name as "roleName",
      role.code as "roleCode", (select count(*) from seen ${joined}) as total
    from seen ${joined} join account on account.id = seen.id join role on role.id = account_role.role_id
    order by account.account, role.code, role.id
    limit ${limiter.size} offset ${toOffset(limiter)}`.execute(db)
  const total = rows[0]?.total ?? (await toTotal(limiter, 0, () => countSeen(db, seen, joined)))
  return { datalist: rows.map(({ total: _, ...row }) => row), total }
}
