import type { InputOf } from '@isotherm/contract/endpoint'
import { type getOperations, MAX_LOG_ENTRIES } from '@isotherm/contract/endpoints/administration/operations'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import {
  type FilterFields,
  instantField,
  textField,
  toConditions,
} from '../../../platform/postgres/filter.pg.ts'
import { withListLimits } from '../../../platform/postgres/list-limits.pg.ts'
import { isBelow } from '../../../platform/scope/scope.pg.ts'
import { hasChange, type LogView } from './log-visible.pg.ts'
import { findTouching } from './touched.pg.ts'

export type LogQuery = InputOf<typeof getOperations>

const fields: FilterFields = {
  account: textField(sql`operation.account`),
  endpoint: textField(sql`operation.endpoint`),
  result: textField(sql`operation.result`),
  address: textField(sql`operation.address`),
  requestId: textField(sql`operation.request_id`),
  at: instantField(sql`operation.at`),
}

/** Fields that only a caller who sees the whole entry is shown. A search by them would reveal their values to others. */
const hidden: ReadonlySet<string> = new Set(['address', 'requestId'])

type Conditions = readonly RawBuilder<SqlBool>[]

const allOf = (conditions: Conditions): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.join(conditions, sql` and `)})`

const toLike = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** Operations that changed an entity, newest first, at most as many as a search returns. */
async function listOperationsOf(db: Database, entity: string, id: string): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select operation_id as id from operation_change
    where entity = ${entity} and entity_id = ${id} order by id desc limit ${MAX_LOG_ENTRIES}`.execute(db)
  return [...new Set(rows.map((row) => row.id))]
}

/** Conditions on one change of an entry: one change must meet all of them. */
function toChangeConditions(
  { entity, entityId }: LogQuery,
  paths: readonly string[] | undefined,
): Conditions {
  return [
    ...(entity === undefined ? [] : [sql<SqlBool>`change.entity = ${entity}`]),
    ...(entityId === undefined ? [] : [sql<SqlBool>`change.entity_id = ${entityId}`]),
    ...(paths === undefined ? [] : [sql<SqlBool>`${isBelow('change.path', paths)}`]),
  ]
}

/** Condition that an entry contains a text. Searches only the parts that the caller may see: a hit would reveal them. */
function hasText(text: string, { whole, change }: LogView): RawBuilder<SqlBool> {
  const pattern = toLike(text)
  const inChange = sql<SqlBool>`(${change}
    and (change.before::text ilike ${pattern} or change.after::text ilike ${pattern}))`
  return sql<SqlBool>`(operation.input::text ilike ${pattern} and ${whole} or ${hasChange(inChange)})`
}

/**
 * Conditions on `operation` of a search. Throws filter.unknown-field and filter.bad-pattern.
 *
 * @param paths of the subtrees that are searched for
 */
export async function toLogConditions(
  db: Database,
  query: LogQuery,
  view: LogView,
  paths: readonly string[] | undefined,
): Promise<RawBuilder<SqlBool>> {
  const { account, endpoint, result, entity, entityId, text, filter } = query
  const ofFilter = toConditions(fields, filter)
  const patterns = filter.filter(({ cond }) => cond === 'regex').map(({ vrex, vstd }) => String(vrex ?? vstd))
  // Each pattern is tested alone first: the search itself may take longer than the time limit of a pattern.
  await withListLimits(db, filter, (connection) =>
    sql`select '' ~ pattern from unnest(${patterns}::text[]) pattern`.execute(connection),
  )
  const ofChange = toChangeConditions(query, paths)
  const ofEntity =
    entity !== undefined && entityId !== undefined ? await listOperationsOf(db, entity, entityId) : undefined
  const ofPaths = paths && (await findTouching(db, paths))
  return allOf([
    view.entry,
    ...(filter.some(({ field }) => hidden.has(field)) ? [view.whole] : []),
    ofFilter,
    ...(account === undefined ? [] : [sql<SqlBool>`operation.account = ${account}`]),
    ...(endpoint === undefined ? [] : [sql<SqlBool>`operation.endpoint = ${endpoint}`]),
    ...(result === undefined
      ? []
      : [
          result === 'failed'
            ? sql<SqlBool>`operation.result <> 'ok'`
            : sql<SqlBool>`operation.result = ${result}`,
        ]),
    ...[ofEntity, ofPaths].map((ids) =>
      ids ? sql<SqlBool>`operation.id = any(${[...ids]}::bigint[])` : sql<SqlBool>`true`,
    ),
    ...(ofChange.length === 0 ? [] : [hasChange(allOf([view.change, ...ofChange]))]),
    ...(text === undefined ? [] : [hasText(text, view)]),
  ])
}
