import { type Expression, type SqlBool, sql } from 'kysely'
import type { Caller } from '../../platform/http/call.ts'
import type { ReferenceCheck, ReferencesOf, ReferenceValues } from '../../platform/http/references.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { isKeyOf } from './keys/api-keys.pg.ts'
import { isCompanyOf, isRoleOf } from './visible.pg.ts'

type Name =
  | 'api-key'
  | 'role'
  | 'role-code'
  | 'given-role-code'
  | 'module'
  | 'given-module'
  | 'organisation'
  | 'company'

const numbersOf = (values: ReferenceValues): number[] => values.filter((value) => typeof value === 'number')

const isAnyCaller = sql<SqlBool>`true`
const isProviderStaff = ({ companyId }: Caller): Expression<SqlBool> =>
  sql<SqlBool>`${companyId === undefined}::boolean`

/**
 * Checks of the roles, role codes, modules, organisations and companies that a call names. Role codes and modules belong
 * to the provider: every company uses them in its roles, and only provider staff change them.
 */
export function createSystemReferences(db: Database): ReferencesOf<Name> {
  const counts =
    (
      table: 'role' | 'role_code' | 'module' | 'organisation' | 'company',
      key: 'id' | 'code',
      toCondition: (...args: Parameters<ReferenceCheck>) => Expression<SqlBool>,
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
    async 'api-key'(caller, values, effect) {
      const { rows } = await sql<{ count: number }>`
        select count(*) from api_key join account on account.id = api_key.account_id
        where api_key.id = any(${numbersOf(values)}::bigint[]) and ${isKeyOf(caller, effect)}`.execute(db)
      return rows[0]?.count === values.length
    },
    role: counts('role', 'id', (caller, _values, effect) => isRoleOf(caller, effect)),
    'role-code': counts('role_code', 'code', (caller, _values, effect) =>
      effect === 'reads' ? isAnyCaller : isProviderStaff(caller),
    ),
    'given-role-code': counts('role_code', 'code', () => isAnyCaller),
    module: counts('module', 'id', (caller, _values, effect) =>
      effect === 'reads' ? isAnyCaller : isProviderStaff(caller),
    ),
    'given-module': counts('module', 'id', () => isAnyCaller),
    organisation: counts('organisation', 'id', (caller) => isCompanyOf('organisation.company_id', caller)),
    company: counts('company', 'id', (caller) => isCompanyOf('company.id', caller)),
  }
}
