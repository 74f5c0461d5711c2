import { type Expression, type SqlBool, sql } from 'kysely'
import type { Database } from '../../platform/database.pg.ts'
import type { ReferenceCheck, ReferencesOf, ReferenceValues } from '../../platform/http/references.ts'
import { isManagedBy } from './managed.pg.ts'

const numbersOf = (values: ReferenceValues): number[] => values.filter((value) => typeof value === 'number')

/** What calls may name of the users. */
export function createUsersReferences(db: Database): ReferencesOf<'account' | 'account-name' | 'session'> {
  const counts =
    (toCondition: (values: ReferenceValues) => Expression<SqlBool>): ReferenceCheck =>
    async (caller, values, effect) => {
      const { rows } = await sql<{ count: number }>`
        select count(*) from account where ${toCondition(values)} and ${isManagedBy(caller, effect)}`.execute(
        db,
      )
      return rows[0]?.count === values.length
    }
  return {
    account: counts((values) => sql<SqlBool>`account.id = any(${numbersOf(values)}::bigint[])`),
    'account-name': counts((values) => sql<SqlBool>`account.account = any(${values.map(String)}::text[])`),
    async session(caller, values, effect) {
      const ids = numbersOf(values)
      const { rows } = await sql<{ count: number }>`
        select count(*) from session join account on account.id = session.account_id
        where session.id = any(${ids}::bigint[]) and session.ended_at is null
          and (account.id = ${caller.accountId} or ${isManagedBy(caller, effect)})`.execute(db)
      return rows[0]?.count === ids.length
    },
  }
}
