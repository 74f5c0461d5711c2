import { type Expression, type SqlBool, sql } from 'kysely'
import type { ReferenceCheck, ReferencesOf, ReferenceValues } from '../../platform/http/references.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { isManagedBy, isOpenTo } from './queries/managed.pg.ts'

const numbersOf = (values: ReferenceValues): number[] => values.filter((value) => typeof value === 'number')

type Name = 'account' | 'account-name' | 'given-role' | 'session'

/**
 * Checks of the accounts, roles and sessions that a call names. Callers may always name their own account; the use case
 * refuses what nobody may do to themselves.
 */
export function createUsersReferences(db: Database): ReferencesOf<Name> {
  const counts =
    (toCondition: (values: ReferenceValues) => Expression<SqlBool>): ReferenceCheck =>
    async (caller, values, effect) => {
      const { rows } = await sql<{ count: number }>`
        select count(*) from account
        where ${toCondition(values)} and (account.id = ${caller.accountId} or ${isManagedBy(caller, effect)})`.execute(
        db,
      )
      return rows[0]?.count === values.length
    }
  return {
    account: counts((values) => sql<SqlBool>`account.id = any(${numbersOf(values)}::bigint[])`),
    'account-name': counts((values) => sql<SqlBool>`account.account = any(${values.map(String)}::text[])`),
    /** Every company may use the provider's roles. */
    async 'given-role'({ companyId = null }, values) {
      const ids = numbersOf(values)
      const { rows } = await sql<{ count: number }>`
        select count(*) from role where id = any(${ids}::bigint[])
          and (${companyId}::bigint is null or role.company_id is null or role.company_id = ${companyId})`.execute(
        db,
      )
      return rows[0]?.count === ids.length
    },
    async session(caller, values, effect) {
      const ids = numbersOf(values)
      const { rows } = await sql<{ count: number }>`
        select count(*) from session join account on account.id = session.account_id
        where session.id = any(${ids}::bigint[]) and session.ended_at is null
          and ${isOpenTo(caller, effect)}`.execute(db)
      return rows[0]?.count === ids.length
    },
  }
}
