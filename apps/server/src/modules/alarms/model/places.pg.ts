import { sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { NetworkService } from '../../network/index.ts'

/** Finds nodes by their keys, as far as somebody sees them. */
export type ResolveNodes = NetworkService['resolveNodes']

/** Subtrees that keys name within the scope; undefined, without any, for all of it. Throws node.not-found. */
export const findPaths = async (
  resolve: ResolveNodes,
  scope: Scope,
  nodes: readonly string[],
): Promise<readonly string[] | undefined> => (nodes.length === 0 ? undefined : resolve(scope, nodes))

export interface Place {
  readonly nodeId: number
  readonly companyId: number
}

/** The node a key names. Throws node.not-found, also for the root, which no row stands behind. */
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

/** What is entered on nodes with a version of its own. */
export type PlacedTable = 'alarm_rule' | 'alarm_silence' | 'alarm_target'

/** Removes locked rows. */
export async function removeRows(
  transaction: Transaction<Tables>,
  table: PlacedTable,
  ids: readonly number[],
): Promise<void> {
  await sql`delete from ${sql.table(table)} where id = any(${[...ids]}::bigint[])`.execute(transaction)
}
