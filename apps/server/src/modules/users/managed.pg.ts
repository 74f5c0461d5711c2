import type { Effect } from '@isotherm/contract/endpoint'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Caller } from '../../platform/http/call.ts'
import { isDeviceInScope, isInScope } from '../../platform/scope.pg.ts'

/**
 * Condition on `account`: the caller may see it (`reads`) or manage it (`changes`). Seen are accounts of one's
 * own company whose grants all lie inside one's own; managed are those of them that may do nothing the caller
 * may not. Who sees everything sees every account. So nobody takes over an account that can do more.
 */
export function isManagedBy(caller: Caller, effect: Effect): Expression<SqlBool> {
  const { scope, companyId } = caller
  const mayNotMore =
    effect === 'reads'
      ? sql`true`
      : sql`not exists (
          select from account_role join role_permission on role_permission.role_id = account_role.role_id
          where account_role.account_id = account.id
            and not role_permission.permission = any(${[...caller.permissions]}::text[]))`
  if (scope.kind === 'all') return sql<SqlBool>`(${mayNotMore})`
  const ofCompany =
    companyId === undefined
      ? sql`account.company_id in (select node.company_id from node where ${isInScope('node.path', scope)})`
      : sql`account.company_id = ${companyId}`
  const isYourself = effect === 'reads' ? sql`account.id = ${caller.accountId}` : sql`false`
  return sql<SqlBool>`(${isYourself} or (not account.sees_all and ${ofCompany} and ${mayNotMore}
    and not exists (
      select from account_node join node on node.id = account_node.node_id
      where account_node.account_id = account.id and not ${isInScope('node.path', scope)})
    and not exists (
      select from account_device join device on device.id = account_device.device_id
      join node on node.id = device.node_id
      where account_device.account_id = account.id and not ${isDeviceInScope(scope)})))`
}
