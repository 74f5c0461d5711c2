import { type Insertable, sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { NodeTable } from '../nodes/tables.ts'
import { type AddressStep, listSteps } from './addresses.ts'
import {
  deleteNodes,
  findPlaces,
  insertNodes,
  type Parent,
  placeOf,
  reserveNodeIds,
  toOwnKey,
} from './write-nodes.pg.ts'

/** A sub-user in a locked tree. */
export interface Building extends Parent {
  readonly id: number
  readonly uuid: string
}

const listStored = (transaction: Transaction<Tables>, { uuid }: Building) =>
  transaction
    .selectFrom('node')
    .select([
      'id',
      sql<string>`address`.as('address'),
      'path',
      'nestaddr',
      'sort_path as sortPath',
      'company_id as companyId',
    ])
    .where(sql<boolean>`uuid = ${uuid}::uuid`)
    .where('kind', '=', 'address')
    .execute()

/** Reads the current sort path of a node. It changes when an ancestor moves to make room among its siblings. */
async function readSortPath(transaction: Transaction<Tables>, { id }: Parent): Promise<string> {
  const found = transaction.selectFrom('node').select('sort_path').where('id', '=', id)
  return (await found.executeTakeFirstOrThrow()).sort_path
}

/** Adds address steps, parents first. `parents` contains the existing addresses; the added ones are inserted into it. */
async function addSteps(
  transaction: Transaction<Tables>,
  { companyId, uuid }: Building,
  steps: readonly AddressStep[],
  parents: Map<string | null, Parent>,
): Promise<void> {
  for (const [above, siblings] of Map.groupBy(steps, (step) => step.above)) {
    const known = parents.get(above)
    if (!known) throw new Error(`the address above "${above}" was not added`)
    const parent = { ...known, sortPath: await readSortPath(transaction, known) }
    const places = await findPlaces(
      transaction,
      parent,
      siblings.map(({ name }) => name),
    )
    const ids = await reserveNodeIds(transaction, siblings.length)
    const rows: Insertable<NodeTable>[] = []
    for (const [index, { address, name, level }] of siblings.entries()) {
      const id = ids[index] ?? 0
      const [path, nestaddr] = [`${parent.path}${id}/`, `${parent.nestaddr},${name}`]
      const sortPath = placeOf(places, name)
      parents.set(address, { companyId, id, path, nestaddr, sortPath })
      rows.push({
        id,
        company_id: companyId,
        key: toOwnKey(id),
        parent_id: parent.id,
        kind: 'address',
        level,
        name,
        uuid,
        address,
        path,
        nestaddr,
        sort_path: sortPath,
      })
    }
    await insertNodes(transaction, companyId, rows)
  }
}

/**
 * Replaces the addresses of a sub-user: adds missing ones and removes those not given. Throws node.not-empty if one to
 * be removed has a device.
 */
export async function saveAddresses(
  transaction: Transaction<Tables>,
  building: Building,
  addresses: readonly string[],
): Promise<void> {
  const stored = await listStored(transaction, building)
  const steps = listSteps(addresses)
  const wanted = new Set(steps.map(({ address }) => address))
  const gone = stored.filter(({ address }) => !wanted.has(address))
  if (gone.length > 0) {
    await deleteNodes(
      transaction,
      building.companyId,
      gone.map(({ id }) => id),
    )
  }
  const parents = new Map<string | null, Parent>([[null, building]])
  for (const { address, ...node } of stored) parents.set(address, node)
  await addSteps(
    transaction,
    building,
    steps.filter(({ address }) => !parents.has(address)),
    parents,
  )
}

export interface AddressArea {
  readonly address: string
  /** m²; null removes the area. */
  readonly areaM2: number | null
}

/** Saves floor areas of a sub-user's addresses. Throws node.not-found for an unknown address. */
export async function saveAreas(
  transaction: Transaction<Tables>,
  { uuid }: Building,
  areas: readonly AddressArea[],
): Promise<void> {
  if (areas.length === 0) return
  const { rows } = await sql`
    update node set area_m2 = given.area_m2
    from unnest(${areas.map(({ address }) => address)}::text[],
      ${areas.map(({ areaM2 }) => areaM2)}::double precision[]) given (address, area_m2)
    where node.uuid = ${uuid}::uuid and node.kind = 'address' and node.address = given.address
    returning node.id`.execute(transaction)
  if (rows.length < new Set(areas.map(({ address }) => address)).size) throw new AppError('node.not-found')
}

/** Increases the version of a sub-user whose addresses changed. */
export async function increaseVersion(transaction: Transaction<Tables>, nodeId: number): Promise<void> {
  await sql`update node set version = version + 1 where id = ${nodeId}`.execute(transaction)
}
