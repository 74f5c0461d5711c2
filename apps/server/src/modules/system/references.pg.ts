import { sql } from 'kysely'
import type { Database } from '../../platform/database.pg.ts'
import type { ReferencesOf, ReferenceValues } from '../../platform/http/references.ts'
import { isInScope } from '../../platform/scope.pg.ts'

const numbersOf = (values: ReferenceValues): number[] => values.filter((value) => typeof value === 'number')

type Name = 'role' | 'role-code' | 'module' | 'organisation' | 'company'

/**
 * What calls may name of the system. Roles without a company, role codes and modules are the provider's: they
 * serve every company, and only who belongs to none changes them.
 */
export function createSystemReferences(db: Database): ReferencesOf<Name> {
  const isCounted = async (query: Promise<{ rows: readonly { count: number }[] }>, count: number) =>
    (await query).rows[0]?.count === count

  return {
    role: ({ companyId = null }, values, effect) => {
      const ids = numbersOf(values)
      const isOpen =
        effect === 'reads'
          ? sql`role.company_id is null or role.company_id = ${companyId}`
          : sql`role.company_id = ${companyId}`
      const query = sql<{ count: number }>`
        select count(*) from role
        where id = any(${ids}::bigint[]) and (${companyId}::bigint is null or ${isOpen})`.execute(db)
      return isCounted(query, ids.length)
    },

    'role-code': ({ companyId = null }, values, effect) => {
      const codes = numbersOf(values)
      const query = sql<{ count: number }>`
        select count(*) from role_code
        where code = any(${codes}::integer[]) and (${effect} = 'reads' or ${companyId}::bigint is null)`.execute(
        db,
      )
      return isCounted(query, codes.length)
    },

    module: ({ companyId = null }, values, effect) => {
      const ids = numbersOf(values)
      const query = sql<{ count: number }>`
        select count(*) from module
        where id = any(${ids}::bigint[]) and (${effect} = 'reads' or ${companyId}::bigint is null)`.execute(
        db,
      )
      return isCounted(query, ids.length)
    },

    organisation: ({ companyId = null, scope }, values) => {
      const ids = numbersOf(values)
      const query = sql<{ count: number }>`
        select count(*) from organisation where id = any(${ids}::bigint[])
          and (organisation.company_id = ${companyId} or ${companyId}::bigint is null and exists (
            select from node where node.company_id = organisation.company_id and ${isInScope('node.path', scope)}))`.execute(
        db,
      )
      return isCounted(query, ids.length)
    },

    company: ({ companyId = null, scope }, values) => {
      const ids = numbersOf(values)
      const isAll = scope.kind === 'all'
      const query = sql<{ count: number }>`
        select count(*) from company where id = any(${ids}::bigint[])
          and (${isAll} or company.id = ${companyId} or ${companyId}::bigint is null and exists (
            select from node where node.company_id = company.id and ${isInScope('node.path', scope)}))`.execute(
        db,
      )
      return isCounted(query, ids.length)
    },
  }
}
