import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../../platform/database.pg.ts'
import type { Caller } from '../../platform/http/call.ts'
import { isInScope } from '../../platform/scope.pg.ts'
import { isManagedBy } from '../users/index.ts'

/** Conditions on `operation` and on a `change` of it: what the caller may see of the log. */
export interface LogView {
  /** The entry: of an account the caller may see, or one that touched nodes in the caller's scope. */
  readonly entry: RawBuilder<SqlBool>
  /** The change: of something in scope, or of what stands nowhere, by an account the caller may see. */
  readonly change: RawBuilder<SqlBool>
  /** All of the entry: by an account the caller may see and without changes outside the scope. */
  readonly whole: RawBuilder<SqlBool>
}

const everything = sql<SqlBool>`true`

/** What the caller may see of the log; who belongs to the provider and sees everything sees all of it. */
export async function findLogView(db: Database, caller: Caller): Promise<LogView> {
  const { companyId, scope } = caller
  if (companyId === undefined && scope.kind === 'all') {
    return { entry: everything, change: everything, whole: everything }
  }
  const { rows } = await sql<{ id: number }>`
    select account.id from account where ${isManagedBy(caller, 'reads')}`.execute(db)
  const ids = rows.map(({ id }) => id)
  const isTheirs = sql<SqlBool>`operation.account_id = any(${ids}::bigint[])`
  // Nobody but its own staff, the provider's and the system touches a company's nodes.
  const mayTouch = sql<SqlBool>`(operation.company_id is null
    or ${companyId ?? null}::bigint is null or operation.company_id = ${companyId ?? null})`
  const inScope = isInScope('change.path', scope)
  const isBeyond = sql<SqlBool>`exists (
    select from operation_change change where change.operation_id = operation.id
      and change.path is not null and not ${inScope})`
  return {
    entry: sql<SqlBool>`(${isTheirs} or ${mayTouch} and exists (
      select from operation_change change where change.operation_id = operation.id and ${inScope}))`,
    change: sql<SqlBool>`(${inScope} or change.path is null and ${isTheirs})`,
    whole: sql<SqlBool>`(${isTheirs} and not ${isBeyond})`,
  }
}
