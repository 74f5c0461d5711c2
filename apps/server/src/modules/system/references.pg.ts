import { type Expression, type SqlBool, sql } from 'kysely'
import type { Caller } from '../../platform/http/call.ts'
import type { ReferenceCheck, ReferencesOf, ReferenceValues } from '../../platform/http/references.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { isCompanyOf, isRoleOf } from './visible.pg.ts'

type Name = 'role' | 'role-code' | 'given-role-code' | 'module' | 'given-module' | 'organisation' | 'company'

const numbersOf = (values: ReferenceValues): number[] => values.filter((value) => typeof value === 'number')

const anybody = sql<SqlBool>`true`
const ofProvider = ({ companyId }: Caller): Expression<SqlBool> =>
  sql<SqlBool>`${companyId === undefined}::boolean`

/**
 * What calls may name of the system. Role codes and modules are the provider's: they serve every company, which
 * gives them to its roles, and only provider staff change them.
 */
export function createSystemReferences(db: Database): ReferencesOf<Name> {
  const counts =
    (
      table: 'role' | 'role_code' | 'module' | 'organisation' | 'company',
      key: 'id' | 'code',
      toCondition: (...asked: Parameters<ReferenceCheck>) => Expression<SqlBool>,
    ): ReferenceCheck =>
    async (caller, values, effect) => {
      const numbers = numbersOf(values)
      const { rows } = await sql<{ count: number }>`
        select count(*) from ${sql.table(table)}
        where ${sql.ref(`${table}.${key}`)} = any(${numbers}::bigint[])
          and ${toCondition(caller, values, effect)}`.execute(db)
      return rows[0]?.count === values.length
    }

  return {
    role: counts('role', 'id', (caller, _values, effect) => isRoleOf(caller, effect)),
    'role-code': counts('role_code', 'code', (caller, _values, effect) =>
      effect === 'reads' ? anybody : ofProvider(caller),
    ),
    'given-role-code': counts('role_code', 'code', () => anybody),
    module: counts('module', 'id', (caller, _values, effect) =>
      effect === 'reads' ? anybody : ofProvider(caller),
    ),
    'given-module': counts('module', 'id', () => anybody),
    organisation: counts('organisation', 'id', (caller) => isCompanyOf('organisation.company_id', caller)),
    company: counts('company', 'id', (caller) => isCompanyOf('company.id', caller)),
  }
}
