import type { Permission } from '@isotherm/contract/access/permissions'
import type { Effect } from '@isotherm/contract/endpoint'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { isServed } from '../../../platform/cell/served.pg.ts'
import type { Caller } from '../../../platform/http/call.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { companiesOf, isDeviceInScope, isInScope } from '../../../platform/scope/scope.pg.ts'
import { seesEverything } from '../../../platform/scope/scope.ts'

/**
 * Condition on `role_permission`: the caller does not have this permission. A permission of a disabled module counts as
 * the caller's own if the caller's roles have it, and for a sub-account also its parent's roles. While the duties are separate
 * nothing is beyond a security administrator, who appoints all others and has no other duty.
 */
export const isBeyond = ({ permissions, accountId }: Caller): Expression<SqlBool> => sql<SqlBool>`(
  not role_permission.permission = any(${[...permissions]}::text[])
  and not (${permissions.has('ps-rolesys') && permissions.has('ps-htusersys')} and exists (select from duty))
  and not exists (
    select from module join role_permission mine on mine.permission = module.url
    join account_role own on own.role_id = mine.role_id and own.account_id = ${accountId}
    join account self on self.id = own.account_id
    where module.url = role_permission.permission and not module.enabled
      and (self.parent_id is null or exists (
        select from account_role theirs join role_permission held on held.role_id = theirs.role_id
        where theirs.account_id = self.parent_id and held.permission = module.url))))`

const ofTheirCompany = ({ companyId, scope, accountId }: Caller): RawBuilder<unknown> =>
  companyId === undefined
    ? sql`(account.parent_id = ${accountId}
        or account.company_id in ${companiesOf(scope.kind === 'all' ? [] : scope.paths)})`
    : sql`account.company_id = ${companyId}`

/**
 * Condition on `account`: the caller may see it (`reads`) or manage it (`changes`). A caller sees an account of the same
 * company if all its grants are inside the caller's grants, and manages it if it also has no permission beyond the
 * caller's. So nobody can take over a more powerful account. A caller who sees everything sees every account; on a server for
 * some companies (a cell), those of the provider and of these companies.
 */
export function isManagedBy(caller: Caller, effect: Effect): Expression<SqlBool> {
  const { scope } = caller
  const hasNoMore =
    effect === 'reads'
      ? sql`true`
      : sql`not exists (
          select from account_role join role_permission on role_permission.role_id = account_role.role_id
          where account_role.account_id = account.id and ${isBeyond(caller)})`
  if (scope.kind === 'all') return sql<SqlBool>`(${hasNoMore})`
  if (seesEverything(scope))
    return sql<SqlBool>`((account.company_id is null or ${isServed('account.company_id')}) and ${hasNoMore})`
  const isYourself = effect === 'reads' ? sql`account.id = ${caller.accountId}` : sql`false`
  return sql<SqlBool>`(${isYourself} or (not account.sees_all and ${ofTheirCompany(caller)} and ${hasNoMore}
    and not exists (
      select from account_node join node on node.id = account_node.node_id
      where account_node.account_id = account.id and not ${isInScope('node.path', scope)})
    and not exists (
      select from account_device join device on device.id = account_device.device_id
      join node on node.id = device.node_id
      where account_device.account_id = account.id and not ${isDeviceInScope(scope)})))`
}

/** The pages that manage accounts of companies, and the page that manages the provider's accounts. */
const pagesOf = {
  company: ['pu-usersetting', 'ps-usersys'],
  provider: ['ps-htusersys'],
} as const satisfies Record<string, readonly Permission[]>

export type AccountKind = keyof typeof pagesOf

/** The kinds of account whose page the caller may use. Only provider staff manages provider accounts. */
export function listKinds({ permissions, companyId }: Caller): readonly AccountKind[] {
  const kinds = companyId === undefined ? (['company', 'provider'] as const) : (['company'] as const)
  return kinds.filter((kind) => pagesOf[kind].some((page) => permissions.has(page)))
}

/** Condition on `account`: the caller may use the page of its kind, or it is the caller's own. */
export const isListedFor = (caller: Caller): Expression<SqlBool> =>
  sql<SqlBool>`(account.kind = any(${[...listKinds(caller)]}::text[]) or account.id = ${caller.accountId})`

/** Condition on `account`: the caller may use its page and see or manage it, or it is the caller's own. */
export const isOpenTo = (caller: Caller, effect: Effect): Expression<SqlBool> =>
  sql<SqlBool>`(${isListedFor(caller)}
    and (account.id = ${caller.accountId} or ${isManagedBy(caller, effect)}))`

/**
 * Common table `visible`: ids of the accounts that the caller may list and see. Materialized, so that the conditions
 * run once for each account even if a statement uses the table several times.
 */
export const visibleAccounts = (
  caller: Caller,
  where: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> => sql`
  with visible as materialized (
    select account.id from account
    where ${where} and ${isListedFor(caller)} and ${isManagedBy(caller, 'reads')})`

/** The number of accounts in `visible`, or of its rows after a join. */
export async function countVisible(
  db: Database,
  visible: RawBuilder<unknown>,
  joined: RawBuilder<unknown> = sql``,
): Promise<number> {
  const { rows } = await sql<{
    total: number
  }>`${visible} select count(*) as total from visible ${joined}`.execute(db)
  return rows[0]?.total ?? 0
}
