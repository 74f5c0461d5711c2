import type { NodeRecord } from '@isotherm/contract/endpoints/network/node-record'
import type { NodeKey } from '@isotherm/contract/tree'
import { sql } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { covers } from '../../../platform/scope/scope.ts'
import { findNodeId } from './named-nodes.pg.ts'
import { type NodeIdentityRow, nodeTypes, toNodeKey } from './node-key.ts'
import { toNodeAbilities, type Viewer } from './policy.ts'
import type { NodeKind } from './tables.ts'

interface StoredRecord extends NodeIdentityRow {
  readonly kind: NodeKind
  readonly name: string
  readonly level: number
  readonly nestaddr: string
  readonly description: string
  readonly path: string
  /** The parent; null for a project. */
  readonly parent: NodeIdentityRow | null
  /** The node that contains the values: of an address its sub-user, else the node itself. */
  readonly heldPath: string
  readonly heldKind: NodeKind
  readonly version: number
}

/** Numbers of what refers to the node at a path or to a node below it. */
async function countTouched(db: Database, path: string): Promise<NonNullable<NodeRecord['touches']>> {
  // A range of the index. '0' is the character after '/'.
  const below = sql`path >= ${path} and path < ${`${path.slice(0, -1)}0`}`
  const { rows } = await sql<NonNullable<NodeRecord['touches']>>`
    with inside as (select id from node where ${below})
    select (select count(*) - 1 from inside)::int as nodes,
      (select count(*) from device where node_id in (select id from inside))::int as devices,
      (select count(distinct account_id) from account_node where node_id in (select id from inside))::int as accounts`.execute(
    db,
  )
  if (!rows[0]) throw new Error('a count has no row')
  return rows[0]
}

/** Reads one node for an editor. Throws node.not-found. */
export async function readNodeRecord(db: Database, viewer: Viewer, key: NodeKey): Promise<NodeRecord> {
  const id = await findNodeId(db, key)
  const { rows } = await sql<StoredRecord>`
    select node.id, node.uuid::text, node.address, node.kind, node.name, node.level, node.nestaddr, node.description,
      node.path, held.path as "heldPath", held.kind as "heldKind", held.version,
      case when parent.id is null then null else
        json_build_object('id', parent.id, 'uuid', parent.uuid, 'address', parent.address) end as parent
    from node
    join node held on held.id = node.id and node.kind <> 'address'
      or held.uuid = node.uuid and held.kind = 'sub-user' and node.kind = 'address'
    left join node parent on parent.id = node.parent_id
    where node.id = ${id}`.execute(db)
  const [row] = rows
  if (!row) throw new AppError('node.not-found')
  const isGranted = covers(viewer.scope, row.path)
  return {
    node: toNodeKey(row),
    nodetype: nodeTypes[row.kind],
    name: row.name,
    level: row.level,
    nestaddr: row.nestaddr,
    parent: row.parent && toNodeKey(row.parent),
    description: row.description,
    version: row.version,
    abilities: toNodeAbilities(viewer, { path: row.heldPath, kind: row.heldKind }),
    ...(isGranted && { touches: await countTouched(db, row.path) }),
  }
}
