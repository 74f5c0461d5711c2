import type { OutputOf } from '@isotherm/contract/endpoint'
import type { getAllUserRoles } from '@isotherm/contract/endpoints/administration/user-roles'
import type { User } from '@isotherm/contract/endpoints/administration/users'
import type { Limiter } from '@isotherm/contract/filter'
import { sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Caller } from '../../../platform/http/call.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { toOffset, toTotal } from '../../../platform/postgres/filter.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { countVisible, isBeyond, visibleAccounts } from './managed.pg.ts'
import { rolesOfAccount } from './users.pg.ts'

/**
 * Locks roles that the caller gives to an account of the company. Throws role.not-found for a role of another company,
 * and account.beyond-yours for a role with more permissions than the caller's.
 */
export async function requireGivable(
  transaction: Transaction<Tables>,
  caller: Caller,
  roleIds: readonly number[],
  companyId: number | null,
): Promise<void> {
  const distinct = [...new Set(roleIds)]
  const { rows } = await sql<{ name: string; beyond: boolean }>`
    select role.name, exists (
      select from role_permission where role_permission.role_id = role.id and ${isBeyond(caller)}) as beyond
    from role where role.id = any(${distinct}::bigint[])
      and (role.company_id is null or role.company_id = ${companyId}) for key share`.execute(transaction)
  if (rows.length < distinct.length) throw new AppError('role.not-found')
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

/** Removes roles. Throws role.not-found for one that the account does not have. */
export async function removeRoles(
  transaction: Transaction<Tables>,
  accountId: number,
  roleIds: readonly number[],
): Promise<void> {
  const distinct = [...new Set(roleIds)]
  const removed = await transaction
    .deleteFrom('account_role')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`role_id = any(${distinct}::bigint[])`)
    .returning('role_id')
    .execute()
  if (removed.length < distinct.length) throw new AppError('role.not-found')
}

/** Sets exactly these roles. Returns whether that changed anything. */
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
  const next = new Set(roleIds)
  const removed = [...had].filter((id) => !next.has(id))
  if (removed.length > 0) await removeRoles(transaction, accountId, removed)
  await addRoles(transaction, accountId, roleIds)
  return removed.length > 0 || next.size > had.size || [...next].some((id) => !had.has(id))
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
  const visible = visibleAccounts(caller)
  const joined = sql`join account_role on account_role.account_id = visible.id`
  type Row = OutputOf<typeof getAllUserRoles>['datalist'][number]
  const { rows } = await sql<Row & { readonly total: number }>`${visible}
    select account.id as uid, account.account, account.name, role.id as "roleId", role.name as "roleName",
      role.code as "roleCode", (select count(*) from visible ${joined}) as total
    from visible ${joined} join account on account.id = visible.id join role on role.id = account_role.role_id
    order by account.account, role.code, role.id
    limit ${limiter.size} offset ${toOffset(limiter)}`.execute(db)
  const total = rows[0]?.total ?? (await toTotal(limiter, 0, () => countVisible(db, visible, joined)))
  return { datalist: rows.map(({ total: _, ...row }) => row), total }
}
