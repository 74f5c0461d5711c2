import type { PipeRecord } from '@isotherm/contract/network/pipes'
import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely'
import { lockVersion, toStale } from '../../../platform/operation/lock-version.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { toOffset } from '../../../platform/postgres/filter.pg.ts'
import { isBelow, isInScope } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { NodeIdentityRow } from '../nodes/node-key.ts'
import type { Page, PageQuery } from '../nodes/page.ts'

/** One end of a pipe. */
export interface PipeEndRow extends NodeIdentityRow {
  readonly path: string
  readonly nestaddr: string
}

/** A stored pipe. */
export interface PipeRow {
  readonly id: number
  readonly from: PipeEndRow
  readonly to: PipeEndRow
  readonly record: PipeRecord
  readonly version: number
}

/** Ids of the two nodes that a pipe connects. */
export interface PipeEnds {
  readonly fromId: number
  readonly toId: number
}

const endOf = (end: 'from_node' | 'to_node') => sql<PipeEndRow>`json_build_object(
  'id', ${sql.ref(`${end}.id`)}, 'uuid', ${sql.ref(`${end}.uuid`)}, 'address', ${sql.ref(`${end}.address`)},
  'path', ${sql.ref(`${end}.path`)}, 'nestaddr', ${sql.ref(`${end}.nestaddr`)})`

/** `from` and `where` of the pipes with both ends at or below `paths` and inside the scope. */
const pipesBelow = (scope: Scope, paths: readonly string[]) => {
  const isOpen = (column: string) => sql<SqlBool>`${isInScope(column, scope)} and ${isBelow(column, paths)}`
  return sql`
    from pipe join node from_node on from_node.id = pipe.from_node_id join node to_node on to_node.id = pipe.to_node_id
    where ${isOpen('from_node.path')} and ${isOpen('to_node.path')}`
}

const columns = sql`
  pipe.id, ${endOf('from_node')} as "from", ${endOf('to_node')} as "to", pipe.version,
  json_build_object('lengthM', length_m, 'innerDiameterMm', inner_diameter_mm, 'material', material,
    'roughnessMm', roughness_mm, 'laidYear', laid_year) as record`

const inTreeOrder = sql`order by from_node.company_id, from_node.sort_path, to_node.sort_path`

/** Lists the pipes with both ends at or below `paths` and inside the scope, in tree order. */
export async function listPipes(
  db: Database,
  scope: Scope,
  paths: readonly string[],
  { limiter }: Pick<PageQuery, 'limiter'>,
): Promise<Page<PipeRow>> {
  const counted = await sql<{ total: number }>`select count(*) as total ${pipesBelow(scope, paths)}`.execute(
    db,
  )
  const { rows } = await sql<PipeRow>`
    select ${columns} ${pipesBelow(scope, paths)} ${inTreeOrder}
    limit ${limiter.size} offset ${toOffset(limiter)}`.execute(db)
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

/** Reads the existing pipes of pairs of nodes, in tree order. */
export async function readPipes(db: Kysely<Tables>, ends: readonly PipeEnds[]): Promise<readonly PipeRow[]> {
  const { rows } = await sql<PipeRow>`
    select ${columns}
    from pipe join node from_node on from_node.id = pipe.from_node_id join node to_node on to_node.id = pipe.to_node_id
    where exists (
      select from unnest(${ends.map(({ fromId }) => fromId)}::bigint[], ${ends.map(({ toId }) => toId)}::bigint[])
        given (from_id, to_id)
      where least(given.from_id, given.to_id) = least(pipe.from_node_id, pipe.to_node_id)
        and greatest(given.from_id, given.to_id) = greatest(pipe.from_node_id, pipe.to_node_id))
    ${inTreeOrder}`.execute(db)
  return rows
}

/**
 * Saves the pipe between two nodes or, with null, removes it. `version` is the version the caller read; undefined if
 * the caller read that there is no pipe. Throws entity.stale.
 */
export async function savePipe(
  transaction: Transaction<Tables>,
  companyId: number,
  { fromId, toId }: PipeEnds,
  record: PipeRecord | null,
  version: number | undefined,
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from pipe where least(from_node_id, to_node_id) = least(${fromId}::bigint, ${toId}::bigint)
      and greatest(from_node_id, to_node_id) = greatest(${fromId}::bigint, ${toId}::bigint)`.execute(
    transaction,
  )
  const id = rows[0]?.id
  const stored = { table: 'pipe', entity: 'pipe', id: id ?? 0, version: version ?? 0 } as const
  const isThere = id !== undefined && (await lockVersion(transaction, stored))
  if (!isThere && version !== undefined) throw await toStale(transaction, stored)
  if (!record) {
    await sql`delete from pipe where id = ${id ?? null}`.execute(transaction)
    return
  }
  const values = {
    length_m: record.lengthM,
    inner_diameter_mm: record.innerDiameterMm,
    material: record.material,
    roughness_mm: record.roughnessMm,
    laid_year: record.laidYear,
  }
  if (id !== undefined) await transaction.updateTable('pipe').set(values).where('id', '=', id).execute()
  else {
    const ends = { company_id: companyId, from_node_id: fromId, to_node_id: toId }
    await transaction
      .insertInto('pipe')
      .values({ ...ends, ...values })
      .execute()
  }
}
