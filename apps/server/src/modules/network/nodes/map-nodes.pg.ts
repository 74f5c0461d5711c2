import type { NodeType, TreeStep } from '@isotherm/contract/endpoints/network/tree'
import type { Place } from '@isotherm/contract/endpoints/network/zone-gis'
import type { NodeKey } from '@isotherm/contract/tree'
import { sql } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import { isServed } from '../../../platform/cell/served.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { listAbove } from '../../../platform/scope/scope.ts'
import { findNodeId } from './named-nodes.pg.ts'
import { nodeTypes, toNodeKey } from './node-key.ts'

/** A node on the map, WGS-84. */
export interface PlacedNode {
  readonly node: NodeKey
  readonly name: string
  readonly level: number
  readonly path: string
  readonly longitudeDeg: number
  readonly latitudeDeg: number
}

/** A node with its position on the map, if it has one. */
export interface LocatedNode {
  readonly node: NodeKey
  readonly label: string
  readonly level: number
  readonly nodetype: NodeType
  readonly path: string
  readonly nestaddr: string
  /** From the project down to the node itself. */
  readonly chain: readonly TreeStep[]
  readonly place: Place | null
  /** Version of the place. */
  readonly version: number | null
}

const uuid = sql<string | null>`node.uuid::text`.as('uuid')

const identity = ['node.id', uuid, 'node.address', 'node.name', 'node.level', 'node.path'] as const

/** Reads the steps from the project down to the node, for each path. */
export async function readChains(
  db: Database,
  paths: readonly string[],
): Promise<ReadonlyMap<string, TreeStep[]>> {
  const rows = await db
    .selectFrom('node')
    .select([...identity, 'node.kind'])
    .where(sql<boolean>`path = any(${[...new Set([...paths.flatMap(listAbove), ...paths])]}::text[])`)
    .execute()
  const steps = new Map(
    rows.map(({ kind, name, level, ...row }) => [
      row.path,
      { node: toNodeKey(row), label: name, level, nodetype: nodeTypes[kind] },
    ]),
  )
  return new Map(
    paths.map((path) => [path, [...listAbove(path), path].flatMap((each) => steps.get(each) ?? [])]),
  )
}

/** All nodes on the map of the companies that this server serves, in tree order, whatever the scope. */
export async function listPlacedNodes(db: Database): Promise<readonly PlacedNode[]> {
  const rows = await db
    .selectFrom('node_gis')
    .innerJoin('node', 'node.id', 'node_gis.node_id')
    .select(identity)
    .select(['longitude_deg as longitudeDeg', 'latitude_deg as latitudeDeg'])
    .where(isServed('node.company_id'))
    .orderBy('node.company_id')
    .orderBy('node.sort_path')
    .execute()
  return rows.map(({ id, uuid: name, address, ...row }) => ({
    node: toNodeKey({ id, uuid: name, address }),
    ...row,
  }))
}

/** A node with its position, whatever the scope. Throws node.not-found. */
export async function getLocatedNode(db: Database, key: NodeKey): Promise<LocatedNode> {
  const id = await findNodeId(db, key)
  const row = await db
    .selectFrom('node')
    .leftJoin('node_gis', 'node_gis.node_id', 'node.id')
    .select([...identity, 'node.kind', 'node.nestaddr', 'node_gis.version'])
    .select(
      sql<Place | null>`case when node_gis.node_id is not null then json_build_object(
        'longitudeDeg', longitude_deg, 'latitudeDeg', latitude_deg, 'outline', outline) end`.as('place'),
    )
    .where('node.id', '=', id)
    .executeTakeFirst()
  if (!row) throw new AppError('node.not-found')
  const { level, path, nestaddr, place, version } = row
  return {
    node: toNodeKey(row),
    label: row.name,
    level,
    nodetype: nodeTypes[row.kind],
    path,
    nestaddr,
    place,
    version,
    chain: (await readChains(db, [path])).get(path) ?? [],
  }
}

/** Reads the comma-joined names from the project down, by path. */
export async function readNestedNames(
  db: Database,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('node')
    .select(['path', 'nestaddr'])
    .where(sql<boolean>`path = any(${[...paths]}::text[])`)
    .execute()
  return new Map(rows.map(({ path, nestaddr }) => [path, nestaddr]))
}
