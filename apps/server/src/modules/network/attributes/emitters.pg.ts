import type { EmitterKind } from '@isotherm/contract/network/emitters'
import { type SqlBool, sql, type Transaction } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { toOffset } from '../../../platform/postgres/filter.pg.ts'
import { isBelow, isInScope } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { NodeIdentityRow } from '../nodes/node-key.ts'
import type { Page, PageQuery } from '../nodes/page.ts'
import type { NodeKind } from '../nodes/tables.ts'

/** A node with its heat emitter. */
export interface HeatedNodeRow extends NodeIdentityRow {
  readonly kind: NodeKind
  readonly level: number
  readonly path: string
  readonly nestaddr: string
  readonly emitter: EmitterKind | null
  /** Emitter of the nearest ancestor that has one. */
  readonly above: EmitterKind | null
  readonly version: number
}

const columns = sql`
  node.id, node.uuid::text as uuid, node.address, node.kind, node.level, node.path, node.nestaddr, node.emitter,
  node.version, (
    select above.emitter from node above
    where above.id = any(string_to_array(node.pids, ',')::bigint[]) and above.emitter is not null
    order by above.level desc limit 1) as above`

/** Lists the nodes at and below `paths` that the scope covers, down to `lowestLevel`, in tree order. */
export async function listHeatedNodes(
  db: Database,
  scope: Scope,
  paths: readonly string[],
  { lowestLevel, limiter }: Pick<PageQuery, 'limiter'> & { readonly lowestLevel: number },
): Promise<Page<HeatedNodeRow>> {
  const fits = sql<SqlBool>`${isInScope('node.path', scope)} and ${isBelow('node.path', paths)}
    and node.level <= ${lowestLevel}`
  const counted = await sql<{ total: number }>`select count(*) as total from node where ${fits}`.execute(db)
  const { rows } = await sql<HeatedNodeRow>`
    select ${columns} from node where ${fits} order by node.company_id, node.sort_path
    limit ${limiter.size} offset ${toOffset(limiter)}`.execute(db)
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

/** Reads the nodes with those ids, in tree order. */
export async function readHeatedNodes(
  db: Database,
  ids: readonly number[],
): Promise<readonly HeatedNodeRow[]> {
  const { rows } = await sql<HeatedNodeRow>`
    select ${columns} from node where id = any(${[...ids]}::bigint[]) order by company_id, sort_path`.execute(
    db,
  )
  return rows
}

export async function saveEmitter(
  transaction: Transaction<Tables>,
  id: number,
  emitter: EmitterKind | null,
): Promise<void> {
  await transaction.updateTable('node').set({ emitter }).where('id', '=', id).execute()
}
