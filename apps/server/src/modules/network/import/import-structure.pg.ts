import { randomUUID } from 'node:crypto'
import type { RegistryFile } from '@isotherm/contract/network/registry-file'
import { type Insertable, sql, type Transaction } from 'kysely'
import { toSignal } from '../../../platform/signals/signals.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { syncTreeNames } from '../names/tree-names.pg.ts'
import { positionOf } from '../nodes/positions.ts'
import { toPayload } from '../nodes/structure-signal.ts'
import type { NodeTable } from '../nodes/tables.ts'
import { type ImportedStructure, saveAttributes } from './import-attributes.pg.ts'
import { type NodeIdentity, type PlacedNode, placeNodes } from './layout.ts'
import { readStoredNodes } from './stored-nodes.pg.ts'
import { findChanges, withOtherStored } from './structure-changes.ts'

const ROWS_PER_STATEMENT = 1_000

async function saveCompany(db: Transaction<Tables>, { company }: RegistryFile): Promise<number> {
  const values = { tenant: company.tenant, name: company.name, time_zone: company.timeZone }
  const { id } = await db
    .insertInto('company')
    .values(values)
    .onConflict((conflict) =>
      conflict.column('tenant').doUpdateSet({ name: values.name, time_zone: values.time_zone }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Returns the identity of every node: the stored one or a new one. */
async function identifyNodes(
  db: Transaction<Tables>,
  stored: ReadonlyMap<string, PlacedNode>,
  { nodes }: RegistryFile,
): Promise<ReadonlyMap<string, NodeIdentity>> {
  const known = new Map<string, NodeIdentity>()
  for (const [key, { node, id, uuid, sortPath }] of stored) {
    const place = { parent: node.parent, position: positionOf(sortPath) }
    known.set(key, { id, uuid: node.kind === 'sub-user' ? uuid : null, place })
  }
  const added = nodes.filter(({ key }) => !known.has(key))
  const ids = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('node', 'id')) as id from generate_series(1, ${added.length}::int)`.execute(
    db,
  )
  for (const [index, { key }] of added.entries()) {
    const id = ids.rows[index]?.id
    if (id !== undefined) known.set(key, { id, uuid: null })
  }
  for (const { key, kind } of nodes) {
    const identity = known.get(key)
    if (identity && kind === 'sub-user') known.set(key, { ...identity, uuid: identity.uuid ?? randomUUID() })
  }
  return known
}

const toRow = (companyId: number, placed: PlacedNode): Insertable<NodeTable> => ({
  id: placed.id,
  company_id: companyId,
  key: placed.node.key,
  parent_id: placed.parentId,
  kind: placed.node.kind,
  level: placed.node.level,
  name: placed.node.name,
  uuid: placed.uuid,
  address: placed.address,
  path: placed.path,
  nestaddr: placed.nestaddr,
  sort_path: placed.sortPath,
  area_m2: placed.node.areaM2 ?? null,
  is_test: placed.node.test ?? false,
  description: placed.node.description ?? '',
})

/**
 * Frees the unique values of the nodes that change. Otherwise two addresses that swap would violate the unique index,
 * and so would a test mark that moves from one sub-user to another. The constraint on names is deferred.
 */
async function freeUnique(db: Transaction<Tables>, nodes: readonly PlacedNode[]): Promise<void> {
  await sql`set constraints node_sibling deferred`.execute(db)
  await sql`
    update node set address = '#' || node.id
    from unnest(${nodes.map(({ id }) => id)}::bigint[], ${nodes.map(({ uuid }) => uuid)}::uuid[],
      ${nodes.map(({ address }) => address)}::text[]) given (id, uuid, address)
    where node.id = given.id and node.kind = 'address'
      and (node.uuid, node.address) is distinct from (given.uuid, given.address)`.execute(db)
  const unmarked = nodes.flatMap(({ id, node }) => (node.test ? [] : [id]))
  await sql`update node set is_test = false where id = any(${unmarked}::bigint[]) and is_test`.execute(db)
}

async function saveNodes(db: Transaction<Tables>, rows: readonly Insertable<NodeTable>[]): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    await db
      .insertInto('node')
      .values(rows.slice(start, start + ROWS_PER_STATEMENT))
      .onConflict((conflict) =>
        conflict.columns(['company_id', 'key']).doUpdateSet(({ ref }) => ({
          parent_id: ref('excluded.parent_id'),
          kind: ref('excluded.kind'),
          level: ref('excluded.level'),
          name: ref('excluded.name'),
          uuid: ref('excluded.uuid'),
          address: ref('excluded.address'),
          path: ref('excluded.path'),
          nestaddr: ref('excluded.nestaddr'),
          sort_path: ref('excluded.sort_path'),
          area_m2: ref('excluded.area_m2'),
          is_test: ref('excluded.is_test'),
          description: ref('excluded.description'),
        })),
      )
      .execute()
  }
}

async function saveSubdivisions(db: Transaction<Tables>, placed: readonly PlacedNode[]): Promise<void> {
  const marked = placed.flatMap(({ id, node }) => (node.stype ? [{ node_id: id, stype: node.stype }] : []))
  const unmarked = placed.flatMap(({ id, node }) => (node.stype ? [] : [id]))
  await db.deleteFrom('subdivision').where(sql<boolean>`node_id = any(${unmarked}::bigint[])`).execute()
  if (marked.length === 0) return
  await db
    .insertInto('subdivision')
    .values(marked)
    .onConflict((conflict) =>
      conflict.column('node_id').doUpdateSet(({ ref }) => ({ stype: ref('excluded.stype') })),
    )
    .execute()
}

/** Places nodes on the map, except those that a user has placed or removed from the map before. */
async function savePlaces(db: Transaction<Tables>, nodes: readonly PlacedNode[]): Promise<void> {
  const given = nodes.flatMap(({ id, node: { place } }) => (place ? [{ id, ...place }] : []))
  if (given.length === 0) return
  await sql`
    insert into node_gis (node_id, longitude_deg, latitude_deg)
    select id, "longitudeDeg", "latitudeDeg"
    from json_to_recordset(${JSON.stringify(given)}::json)
      as given (id bigint, "longitudeDeg" float8, "latitudeDeg" float8)
    where not exists (select from node_gis where node_id = given.id)
      and not exists (select from ended_version where entity = 'node_gis' and node_id = given.id)`.execute(db)
}

/**
 * Saves the company and tree of a registry file, inside the transaction that saves the whole file. Existing nodes are
 * updated and keep their ids; nodes that the file does not contain stay below their parents. Changed parts of the tree
 * are signalled at the end of the transaction. Throws RegistryFileError.
 */
export async function importStructure(
  transaction: Transaction<Tables>,
  file: RegistryFile,
): Promise<ImportedStructure> {
  // Locks the company's row until the transaction ends, so imports of one company run one after another.
  const companyId = await saveCompany(transaction, file)
  const stored = await readStoredNodes(transaction, companyId)
  const identities = await identifyNodes(transaction, stored, file)
  const placed = placeNodes(
    withOtherStored(file.nodes, stored),
    (key) => identities.get(key) ?? { id: 0, uuid: null },
  )
  const { nodes, parents } = findChanges(stored, placed)
  if (nodes.length > 0) {
    await freeUnique(transaction, nodes)
    await saveNodes(
      transaction,
      nodes.map((node) => toRow(companyId, node)),
    )
    await sql`set constraints node_sibling immediate`.execute(transaction)
    await saveSubdivisions(transaction, nodes)
    await syncTreeNames(transaction, companyId)
  }
  if (parents.length > 0) {
    await toSignal('structure_changed', toPayload({ companyId, paths: parents })).execute(transaction)
  }
  const named = placed.slice(0, file.nodes.length)
  await savePlaces(transaction, named)
  const nodeIds = new Map(named.map(({ id, node }) => [node.key, id]))
  await saveAttributes(transaction, { companyId, nodeIds }, file)
  return { companyId, nodeIds }
}
