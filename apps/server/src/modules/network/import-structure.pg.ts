import { randomUUID } from 'node:crypto'
import type { RegistryFile } from '@isotherm/contract/registry-file'
import { type Insertable, sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/database.pg.ts'
import type { Tables } from '../../platform/tables.ts'
import { type NodeIdentity, type PlacedNode, placeNodes } from './layout.ts'
import type { NodeTable } from './tables.ts'

const ROWS_PER_STATEMENT = 1_000

export interface ImportedStructure {
  readonly companyId: number
  /** Id of each node by its key in the file. */
  readonly nodeIds: ReadonlyMap<string, number>
}

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

async function identifyNodes(
  db: Transaction<Tables>,
  companyId: number,
  { nodes }: RegistryFile,
): Promise<ReadonlyMap<string, NodeIdentity>> {
  const rows = await db
    .selectFrom('node')
    .select(['key', 'id', sql<string | null>`case when kind = 'sub-user' then uuid::text end`.as('uuid')])
    .where('company_id', '=', companyId)
    .execute()
  const known = new Map<string, NodeIdentity>(rows.map(({ key, id, uuid }) => [key, { id, uuid }]))
  const added = nodes.filter(({ key }) => !known.has(key))
  const ids = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('node', 'id')) as id from generate_series(1, ${added.length}::int)`.execute(
    db,
  )
  for (const [index, { key, kind }] of added.entries()) {
    const id = ids.rows[index]?.id
    if (id !== undefined) known.set(key, { id, uuid: kind === 'sub-user' ? randomUUID() : null })
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
})

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
        })),
      )
      .execute()
  }
}

async function saveSubdivisions(db: Transaction<Tables>, placed: readonly PlacedNode[]): Promise<void> {
  const marked = placed.flatMap(({ id, node }) => (node.stype ? [{ node_id: id, stype: node.stype }] : []))
  const ids = placed.map(({ id }) => id)
  await db.deleteFrom('subdivision').where(sql<boolean>`node_id = any(${ids}::bigint[])`).execute()
  if (marked.length > 0) await db.insertInto('subdivision').values(marked).execute()
}

/**
 * Stores the company and tree of a registry file in one transaction. What is there already is brought up to
 * date and keeps its ids; what the file does not name stays as it is. Throws RegistryFileError.
 */
export const importStructure = (db: Database, file: RegistryFile): Promise<ImportedStructure> =>
  db.transaction().execute(async (transaction) => {
    const companyId = await saveCompany(transaction, file)
    const identities = await identifyNodes(transaction, companyId, file)
    const placed = placeNodes(file, (key) => identities.get(key) ?? { id: 0, uuid: null })
    await saveNodes(
      transaction,
      placed.map((node) => toRow(companyId, node)),
    )
    await saveSubdivisions(transaction, placed)
    return { companyId, nodeIds: new Map(placed.map(({ id, node }) => [node.key, id])) }
  })
