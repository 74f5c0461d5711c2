import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { isServed } from '../../../platform/cell/served.pg.ts'
import type { Caller } from '../../../platform/http/call.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isBelow } from '../../../platform/scope/scope.pg.ts'
import { ROOT_PATH, seesEverything } from '../../../platform/scope/scope.ts'
import { isManagedBy } from '../../users/index.ts'
import { findTouching } from './touched.pg.ts'

/** Conditions on `operation` and on its `change` rows: the part of the log that the caller may see. */
export interface LogView {
  /** The entry: of an account the caller may see, or one that touched nodes in the caller's scope. */
  readonly entry: RawBuilder<SqlBool>
  /** The change: of an entity in scope, or of an entity without a place by an account the caller may see. */
  readonly change: RawBuilder<SqlBool>
  /** The whole entry: by an account the caller may see and without changes outside the scope. */
  readonly whole: RawBuilder<SqlBool>
}

const everything = sql<SqlBool>`true`

/**
 * Condition on `operation`: it has a `change` that matches `condition`. "offset 0" makes PostgreSQL read the changes of
 * each entry instead of all changes of the log.
 */
export const hasChange = (condition: Expression<SqlBool>): RawBuilder<SqlBool> => sql<SqlBool>`exists (
  select from operation_change change where change.operation_id = operation.id and ${condition} offset 0)`

/** Finds the part of the log that the caller may see. Provider staff who see everything see the whole log. */
export async function findLogView(db: Database, caller: Caller): Promise<LogView> {
  const { companyId, scope } = caller
  if (companyId === undefined && scope.kind === 'all') {
    return { entry: everything, change: everything, whole: everything }
  }
  const { rows } = await sql<{ id: number }>`
    select account.id from account where ${isManagedBy(caller, 'reads')}`.execute(db)
  const ids = rows.map(({ id }) => id)
  // Only a company's own staff, provider staff and the system change a company's nodes.
  const mayTouch = sql<SqlBool>`(operation.company_id is null
    or ${companyId ?? null}::bigint is null or operation.company_id = ${companyId ?? null})`
  // The path of a change can be a device's, or a place that no longer exists.
  const inScope = scope.kind === 'all' ? everything : isBelow('change.path', scope.paths)
  // undefined: too many to list, so each entry is checked instead.
  const touching = await findTouching(db, scope.kind === 'all' ? [ROOT_PATH] : scope.paths)
  const hasTouched = touching
    ? sql<SqlBool>`operation.id = any(${[...touching]}::bigint[])`
    : sql<SqlBool>`(${mayTouch} and ${hasChange(inScope)})`
  const isBeyond = hasChange(sql<SqlBool>`(change.path is not null and not ${inScope})`)
  // Of nobody: by the system, by callers without a session, and by accounts that were deleted.
  const isOfNobody =
    companyId === undefined && seesEverything(scope)
      ? sql<SqlBool>`((operation.company_id is null or ${isServed('operation.company_id')})
          and not exists (select from account author where author.id = operation.account_id) and not ${isBeyond})`
      : sql<SqlBool>`false`
  const isTheirs = sql<SqlBool>`(operation.account_id = any(${ids}::bigint[]) or ${isOfNobody})`
  return {
    entry: sql<SqlBool>`(${isTheirs} or ${hasTouched})`,
    change: sql<SqlBool>`(${inScope} or change.path is null and ${isTheirs})`,
    whole: sql<SqlBool>`(${isTheirs} and not ${isBeyond})`,
  }
}
