import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely'
import { AppError } from '../../../../platform/app-error.ts'
import { isServed } from '../../../../platform/cell/served.pg.ts'
import type { Database } from '../../../../platform/postgres/database.pg.ts'
import { toViolated } from '../../../../platform/postgres/unique.pg.ts'
import { isBelow, isInScope } from '../../../../platform/scope/scope.pg.ts'
import { listAbove, type Scope, splitPaths } from '../../../../platform/scope/scope.ts'
import type { Tables } from '../../../../platform/tables.ts'
import type { Place } from '../../loop/place.ts'
import type { RowQuery } from './campaign-types.ts'
import type {} from './tables.ts'

/** Another replica has the row, or somebody changed it. The worker that notices stops. */
export class LostLease extends Error {
  override readonly name: string = 'LostLease'
}

/** Rows that replicas share, and the states in which work may be due. */
export interface LeasedRows {
  readonly table: 'campaign' | 'strategy'
  readonly states: readonly string[]
}

/** The worker that takes rows, the present instant, and the end of its lease; Unix ms. */
export interface Claim {
  readonly worker: string
  readonly now: number
  readonly leaseUntil: number
  readonly limit: number
}

const isRunning = ({ states }: LeasedRows) =>
  sql`state in (${sql.join(states.map((state) => sql.lit(state)))})`

/** Leases the rows of companies that this server serves that are due and free; returns their ids. */
export async function takeRows(
  db: Database,
  rows: LeasedRows,
  { worker, now, leaseUntil, limit }: Claim,
): Promise<readonly number[]> {
  const table = sql.table(rows.table)
  const taken = await sql<{ id: number }>`
    update ${table} set worker = ${worker}, lease_until_ms = ${leaseUntil}::bigint
    where id in (
      select id from ${table} where ${isRunning(rows)} and look_ms <= ${now}
        and (worker is null or lease_until_ms <= ${now}) and ${isServed('company_id')}
      order by look_ms limit ${limit} for no key update skip locked)
    returning id`.execute(db)
  return taken.rows.map(({ id }) => id)
}

/** Locks a row for this transaction; false if the lease is lost. */
export async function lockLeasedRow(
  transaction: Transaction<Tables>,
  rows: LeasedRows,
  id: number,
  worker: string,
): Promise<boolean> {
  const held = await sql`
    select from ${sql.table(rows.table)} where id = ${id} and worker = ${worker} and ${isRunning(rows)}
    for no key update`.execute(transaction)
  return held.rows.length > 0
}

/** Ends the lease of a row; the next tick is due at an instant, Unix ms. */
export async function releaseRow(
  db: Database,
  { table }: LeasedRows,
  id: number,
  worker: string,
  tickAt: number,
): Promise<void> {
  await sql`
    update ${sql.table(table)} set worker = null, lease_until_ms = null, look_ms = ${tickAt}
    where id = ${id} and worker = ${worker}`.execute(db)
}

/** Tables whose rows belong to a node in the loop of a station. */
export type LoopTable = 'campaign' | 'strategy'

/** By table: the JSON column with the kind of a row. */
const planOf = { campaign: 'mode', strategy: 'plan' } as const satisfies Record<LoopTable, string>

/**
 * By table: which rows have their loop. The indices campaign_loop and strategy_loop allow one for each loop.
 */
export const hasLoop: Readonly<Record<LoopTable, RawBuilder<SqlBool>>> = {
  campaign: sql`state not in ('draft', 'accepted', 'rolled-back', 'discarded')`,
  strategy: sql`state = 'running'`,
}

/** Columns of a new row at a place. */
export const toLoopColumns = ({ companyId, nodePath, stationNodeId, stationName }: Place) => ({
  company_id: companyId,
  // The last number of a path is the id of its node.
  node_id: Number(nodePath.split('/').at(-2)),
  station_node_id: stationNodeId,
  station_name: stationName,
})

/** Whether the node is at, above or below one of the paths. */
function isAround(paths: readonly string[]): RawBuilder<SqlBool> {
  const { nodePaths } = splitPaths(paths)
  const above = [...new Set(nodePaths.flatMap(listAbove))]
  return sql<SqlBool>`(${isBelow('node.path', nodePaths)} or node.path = any(${above}::text[]))`
}

/** Whether a row, joined with its node, matches the filter and the scope. */
export function matchesQuery(
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

/** Error for a row whose loop another row of the table has. */
async function toLoopTaken(db: Database, table: LoopTable, id: number, cause: unknown): Promise<AppError> {
  const rows = sql.table(table)
  const found = await sql<{ station: string; other: number }>`
    select station_name as station, id as other from ${rows}
    where id <> ${id} and ${hasLoop[table]}
      and station_node_id = (select station_node_id from ${rows} where id = ${id})`.execute(db)
  const { station, other } = found.rows[0] ?? { station: '-', other: '-' }
  return new AppError(`${table}.loop-taken`, { station, [table]: String(other) }, { cause })
}

/**
 * Awaits a change by which a campaign or strategy takes its loop. Throws campaign.loop-taken or strategy.loop-taken if
 * another one has it.
 */
export async function refuseTakenLoop(
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
