import type { Effect } from '@isotherm/contract/endpoint'
import type { Permission } from '@isotherm/contract/permissions'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Caller } from '../../../platform/http/call.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { companiesOf, isDeviceInScope, isInScope } from '../../../platform/scope/scope.pg.ts'

/**
 * Condition on `role_permission`: it is more than the caller may do. What the caller's own roles hold of a
 * module that is disabled now does not count as more, as long as a sub-account's parent holds it too.
 */
export const isBeyond = ({ permissions, accountId }: Caller): Expression<SqlBool> => sql<SqlBool>`(
  not role_permission.permission = any(${[...permissions]}::text[])
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
 * Condition on `account`: the caller may see it (`reads`) or manage it (`changes`). Seen are accounts of one's
 * own company whose grants all lie inside one's own; managed are those of them that may do nothing the caller
 * may not. Who sees everything sees every account. So nobody takes over an account that can do more.
 */
export function isManagedBy(caller: Caller, effect: Effect): Expression<SqlBool> {
  const { scope } = caller
  const mayNotMore =
    effect === 'reads'
      ? sql`true`
      : sql`not exists (
          select from account_role join role_permission on role_permission.role_id = account_role.role_id
          where account_role.account_id = account.id and ${isBeyond(caller)})`
  if (scope.kind === 'all') return sql<SqlBool>`(${mayNotMore})`
  const isYourself = effect === 'reads' ? sql`account.id = ${caller.accountId}` : sql`false`
  return sql<SqlBool>`(${isYourself} or (not account.sees_all and ${ofTheirCompany(caller)} and ${mayNotMore}
    and not exists (
      select from account_node join node on node.id = account_node.node_id
      where account_node.account_id = account.id and not ${isInScope('node.path', scope)})
    and not exists (
      select from account_device join device on device.id = account_device.device_id
      join node on node.id = device.node_id
      where account_device.account_id = account.id and not ${isDeviceInScope(scope)})))`
}

/** Pages that manage staff of companies, and the page that manages the provider's. */
const pagesOf = {
  company: ['pu-usersetting', 'ps-usersys'],
  provider: ['ps-htusersys'],
} as const satisfies Record<string, readonly Permission[]>

export type AccountKind = keyof typeof pagesOf

/** The kinds of accounts whose page the caller may use; only the provider's staff deals with its own. */
export function listKinds({ permissions, companyId }: Caller): readonly AccountKind[] {
  const kinds = companyId === undefined ? (['company', 'provider'] as const) : (['company'] as const)
  return kinds.filter((kind) => pagesOf[kind].some((page) => permissions.has(page)))
}

/** Condition on `account`: one of the callers' own kinds of accounts, or the caller's. */
export const isListedFor = (caller: Caller): Expression<SqlBool> =>
  sql<SqlBool>`(account.kind = any(${[...listKinds(caller)]}::text[]) or account.id = ${caller.accountId})`

/** Condition on `account`: its page is the caller's to use, and it is the caller's to manage, or their own. */
export const isOpenTo = (caller: Caller, effect: Effect): Expression<SqlBool> =>
  sql<SqlBool>`(${isListedFor(caller)}
    and (account.id = ${caller.accountId} or ${isManagedBy(caller, effect)}))`

/**
 * Common table `seen` of the ids of accounts that are listed for the caller, whom they may see: whether they may
 * is asked once of each account, however often a statement goes through them.
 */
export const seenAccounts = (
  caller: Caller,
  where: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> => sql`
  with seen as materialized (
    select account.id from account
    where ${where} and ${isListedFor(caller)} and ${isManagedBy(caller, 'reads')})`

/** How many accounts there are in `seen`, or how many rows of what is joined with it. */
export async function countSeen(
  db: Database,
  seen: RawBuilder<unknown>,
  joined: RawBuilder<unknown> = sql``,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`${seen} select count(*) as total from seen ${joined}`.execute(
    db,
  )
  return rows[0]?.total ?? 0
}
