import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Caller } from '../../../platform/http/call.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isBelow } from '../../../platform/scope/scope.pg.ts'
import { ROOT_PATH } from '../../../platform/scope/scope.ts'
import { isManagedBy } from '../../users/index.ts'
import { findTouching } from './touched.pg.ts'

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

/**
 * Condition on `operation`: it has a `change` of which `condition` holds. The offset keeps PostgreSQL from
 * looking through all the changes of the log at once instead of those of each entry.
 */
export const hasChange = (condition: Expression<SqlBool>): RawBuilder<SqlBool> => sql<SqlBool>`exists (
  select from operation_change change where change.operation_id = operation.id and ${condition} offset 0)`

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
  // A change's path may be a device's, or of a place nothing stands at any more.
  const inScope = scope.kind === 'all' ? everything : isBelow('change.path', scope.paths)
  const touching = await findTouching(db, scope.kind === 'all' ? [ROOT_PATH] : scope.paths)
  const hasTouched = touching
    ? sql<SqlBool>`operation.id = any(${[...touching]}::bigint[])`
    : sql<SqlBool>`(${mayTouch} and ${hasChange(inScope)})`
  const isBeyond = hasChange(sql<SqlBool>`(change.path is not null and not ${inScope})`)
  return {
    entry: sql<SqlBool>`(${isTheirs} or ${hasTouched})`,
    change: sql<SqlBool>`(${inScope} or change.path is null and ${isTheirs})`,
    whole: sql<SqlBool>`(${isTheirs} and not ${isBeyond})`,
  }
}
