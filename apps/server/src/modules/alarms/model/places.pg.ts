import { sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { NetworkService } from '../../network/index.ts'

/** Finds the visible paths of nodes by their keys. */
export type ResolveNodes = NetworkService['resolveNodes']

/** Paths of the nodes within the scope; undefined, for the whole scope, if `nodes` is empty. Throws node.not-found. */
export const findPaths = async (
  resolve: ResolveNodes,
  scope: Scope,
  nodes: readonly string[],
): Promise<readonly string[] | undefined> => (nodes.length === 0 ? undefined : resolve(scope, nodes))

export interface Place {
  readonly nodeId: number
  readonly companyId: number
}

/** Finds a node by its key. Throws node.not-found, also for the root, which has no row. */
export async function getPlace(
  db: Database,
  resolve: ResolveNodes,
  scope: Scope,
  node: string,
): Promise<Place> {
  const [path] = await resolve(scope, [node])
  const { rows } = await sql<Place>`
    select id as "nodeId", company_id as "companyId" from node where path = ${path ?? ''}`.execute(db)
  const [place] = rows
  if (!place) throw new AppError('node.not-found')
  return place
}

/** Tables of settings on nodes, each row with a version. */
export type PlacedTable = 'alarm_rule' | 'alarm_silence' | 'alarm_target'

/** Deletes rows, which must be locked. */
export async function removeRows(
  transaction: Transaction<Tables>,
  table: PlacedTable,
  ids: readonly number[],
): Promise<void> {
  await sql`delete from ${sql.table(table)} where id = any(${[...ids]}::bigint[])`.execute(transaction)
}
