import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { AppError } from '../../../../platform/app-error.ts'
import type { Database } from '../../../../platform/postgres/database.pg.ts'
import { toViolated } from '../../../../platform/postgres/unique.pg.ts'
import { isBelow, isInScope } from '../../../../platform/scope/scope.pg.ts'
import { listAbove, type Scope, splitPaths } from '../../../../platform/scope/scope.ts'
import type { Place } from '../../loop/place.ts'
import type { RowQuery } from './campaign-types.ts'

/** Tables whose rows stand on a node, in the loop of a station. */
export type LoopTable = 'campaign' | 'strategy'

/** By table: what says of which kind a row is. */
const planOf = { campaign: 'mode', strategy: 'plan' } as const satisfies Record<LoopTable, string>

/** By table: which row has its loop. At most one does, by the indices campaign_loop and strategy_loop. */
export const hasLoop: Readonly<Record<LoopTable, RawBuilder<SqlBool>>> = {
  campaign: sql`state not in ('draft', 'accepted', 'rolled-back', 'discarded')`,
  strategy: sql`state = 'running'`,
}

/** The columns of a row that is to stand there. */
export const toLoopColumns = ({ companyId, nodePath, stationNodeId, stationName }: Place) => ({
  company_id: companyId,
  // The last number of a path is its node's.
  node_id: Number(nodePath.split('/').at(-2)),
  station_node_id: stationNodeId,
  station_name: stationName,
})

/** Whose node is at, above or below one of the paths. */
function isAround(paths: readonly string[]): RawBuilder<SqlBool> {
  const { nodePaths } = splitPaths(paths)
  const above = [...new Set(nodePaths.flatMap(listAbove))]
  return sql<SqlBool>`(${isBelow('node.path', nodePaths)} or node.path = any(${above}::text[]))`
}

/** Whether a row, joined with its node, is asked for and covered by the scope. */
export function isAsked(
  table: LoopTable,
  scope: Scope,
  { ids, paths, kinds, states }: Omit<RowQuery<string, string>, 'limiter'>,
): RawBuilder<SqlBool> {
  const toColumn = (name: string) => sql.ref(`${table}.${name}`)
  return sql<SqlBool>`${sql.join(
    [
      isInScope('node.path', scope),
      ...(ids ? [sql`${toColumn('id')} = any(${[...ids]}::bigint[])`] : []),
      ...(paths ? [isAround(paths)] : []),
      ...(kinds ? [sql`${toColumn(planOf[table])} ->> 'kind' = any(${[...kinds]}::text[])`] : []),
      ...(states ? [sql`${toColumn('state')} = any(${[...states]}::text[])`] : []),
    ],
    sql` and `,
  )}`
}

/** What to tell who wants a loop that another row of the table has. */
async function toLoopTaken(db: Database, table: LoopTable, id: number, cause: unknown): Promise<AppError> {
  const rows = sql.table(table)
  const found = await sql<{ station: string; other: number }>`
    select station_name as station, id as other from ${rows}
    where id <> ${id} and ${hasLoop[table]}
      and station_node_id = (select station_node_id from ${rows} where id = ${id})`.execute(db)
  const { station, other } = found.rows[0] ?? { station: '-', other: '-' }
  return new AppError(`${table}.loop-taken`, { station, [table]: String(other) }, { cause })
}

/** Does a change after which a row may have its loop. Throws campaign.loop-taken, strategy.loop-taken. */
export async function orLoopTaken(
  db: Database,
  table: LoopTable,
  id: number,
  change: Promise<void>,
): Promise<void> {
  try {
    await change
  } catch (error) {
    throw toViolated(error) === `${table}_loop` ? await toLoopTaken(db, table, id, error) : error
  }
}
