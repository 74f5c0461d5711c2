import { createHash } from 'node:crypto'
import { ADDRESS_SEPARATOR } from '@isotherm/contract/tree'
import { sql, type Transaction } from 'kysely'
import type { Tables } from '../../platform/tables.ts'
import type { GeneratedNode } from './company.ts'
import { toSortPosition } from './sort-position.ts'

/** A generated node with its place in the stored tree. */
export interface PlacedRow {
  readonly node: GeneratedNode
  readonly id: number
  readonly parentId: number | null
  readonly uuid: string | null
  readonly address: string | null
  readonly path: string
  readonly nestaddr: string
  readonly sortPath: string
}

/** A uuid (RFC 9562, version 8) derived from a name, so that the same seed gives the same uuids. */
function toUuid(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function toAddress({ kind, name }: GeneratedNode, parent: PlacedRow | undefined): string | null {
  if (kind !== 'address') return null
  return parent?.address ? `${parent.address}${ADDRESS_SEPARATOR}${name}` : name
}

/**
 * Returns a function that computes the place of each node. Nodes must come from the top down, each after its parent.
 * `tenant` makes the uuids of two companies differ.
 */
export function createPlacing(tenant: string): (node: GeneratedNode, id: number) => PlacedRow {
  const above: PlacedRow[] = []
  return (node, id) => {
    while ((above.at(-1)?.node.level ?? 0) >= node.level) above.pop()
    const parent = above.at(-1)
    const placed: PlacedRow = {
      node,
      id,
      parentId: parent?.id ?? null,
      uuid: node.kind === 'sub-user' ? toUuid(`${tenant}/${node.key}`) : (parent?.uuid ?? null),
      address: toAddress(node, parent),
      path: `${parent?.path ?? '/'}${id}/`,
      nestaddr: parent ? `${parent.nestaddr},${node.name}` : node.name,
      sortPath: `${parent?.sortPath ?? ''}${toSortPosition(node.position, node.siblings)}`,
    }
    above.push(placed)
    return placed
  }
}

/** Reserves ids for `count` new rows of a table. */
export async function reserveIds(
  db: Transaction<Tables>,
  table: 'node' | 'device',
  count: number,
): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence(${table}, 'id')) as id from generate_series(1, ${count}::int)`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Stores nodes in one statement, with their subdivisions and places on the map. */
export async function writeNodes(
  db: Transaction<Tables>,
  companyId: number,
  rows: readonly PlacedRow[],
): Promise<void> {
  const given = rows.map(({ node, ...place }) => ({
    ...place,
    key: node.key,
    kind: node.kind,
    level: node.level,
    name: node.name,
    areaM2: node.areaM2,
    isTest: node.isTest ?? false,
    description: node.description ?? '',
  }))
  // One JSON text for all rows: an array per column takes the client ten times as long.
  await sql`
    insert into node (id, company_id, key, parent_id, kind, level, name, uuid, address, path, nestaddr,
      sort_path, area_m2, is_test, description)
    select id, ${companyId}::bigint, key, "parentId", kind, level, name, uuid, address, path, nestaddr,
      "sortPath", "areaM2", "isTest", description
    from json_to_recordset(${JSON.stringify(given)}::json) as given (id bigint, key text, "parentId" bigint,
      kind text, level smallint, name text, uuid uuid, address text, path text, nestaddr text, "sortPath" text,
      "areaM2" float8, "isTest" boolean, description text)`.execute(db)
  const marked = rows.flatMap(({ id, node }) => (node.stype ? [{ node_id: id, stype: node.stype }] : []))
  if (marked.length > 0) await db.insertInto('subdivision').values(marked).execute()
  const places = rows.flatMap(({ id, node: { place } }) =>
    place ? [{ node_id: id, longitude_deg: place.longitudeDeg, latitude_deg: place.latitudeDeg }] : [],
  )
  if (places.length > 0) {
    await sql`
      insert into node_gis (node_id, longitude_deg, latitude_deg)
      select node_id, longitude_deg, latitude_deg
      from json_to_recordset(${JSON.stringify(places)}::json)
        as given (node_id bigint, longitude_deg float8, latitude_deg float8)`.execute(db)
  }
}
