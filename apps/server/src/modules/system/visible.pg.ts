import type { Effect } from '@isotherm/contract/endpoint'
import { type Expression, type SqlBool, sql } from 'kysely'
import { isServed } from '../../platform/cell/served.pg.ts'
import type { Caller } from '../../platform/http/call.ts'
import { companiesOf } from '../../platform/scope/scope.pg.ts'
import { seesEverything } from '../../platform/scope/scope.ts'

/**
 * Condition that the company in `column` is the caller's own. For provider staff: a company in which the caller sees
 * something, or any company if the caller sees everything.
 */
export function isCompanyOf(column: string, { companyId, scope }: Caller): Expression<SqlBool> {
  if (companyId !== undefined) return sql<SqlBool>`${sql.ref(column)} = ${companyId}`
  if (scope.kind === 'all') return sql<SqlBool>`true`
  // Also a company that has no project yet.
  if (seesEverything(scope)) return isServed(column)
  return sql<SqlBool>`${sql.ref(column)} in ${companiesOf(scope.paths)}`
}

/** Whether the caller manages the provider's roles, which serve every company. */
export const managesProviderRoles = ({ companyId, scope }: Caller): boolean =>
  companyId === undefined && seesEverything(scope)

/**
 * Condition on `role`: the caller may see it (`reads`) or manage it (`changes`). The provider's roles have no company and
 * serve all companies. Only provider staff who see everything change them.
 */
export function isRoleOf(caller: Caller, effect: Effect): Expression<SqlBool> {
  const ofCompany = isCompanyOf('role.company_id', caller)
  return effect === 'reads' || managesProviderRoles(caller)
    ? sql<SqlBool>`(role.company_id is null or ${ofCompany})`
    : ofCompany
}
