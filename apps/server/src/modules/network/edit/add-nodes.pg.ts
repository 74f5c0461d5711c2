import { randomUUID } from 'node:crypto'
import type { EmitterKind } from '@isotherm/contract/network/emitters'
import { ADDRESS_SEPARATOR, treeLevels } from '@isotherm/contract/tree'
import { sortByName } from '@isotherm/kernel/chinese-numerals'
import { type Insertable, sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import { toSignal } from '../../../platform/signals/signals.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { arrange, END, positionOf } from '../nodes/positions.ts'
import { toPayload } from '../nodes/structure-signal.ts'
import type { NodeKind, NodeTable } from '../nodes/tables.ts'
import {
  findPlaces,
  insertNodes,
  type Parent,
  placeOf,
  reserveNodeIds,
  toNoParent,
  toOwnKey,
} from './write-nodes.pg.ts'

/** A node to add below an existing node. */
export interface AddedNode {
  /** undefined for a project. */
  readonly parentId: number | undefined
  readonly level: number
  readonly name: string
  readonly areaM2: number | undefined
  readonly emitter?: EmitterKind | undefined
  readonly description: string
  readonly isTest: boolean
}

interface ParentNode extends Parent {
  readonly uuid: string | null
  readonly address: string | null
}

interface SiblingRow {
  readonly id: number | null
  readonly parentId: number | null
  readonly name: string
  readonly sortPath: string
}

function toKind(level: number): NodeKind {
  if (level === treeLevels.group) return 'project'
  if (level < treeLevels.building) return 'group'
  return level === treeLevels.building ? 'sub-user' : 'address'
}

async function readParents(
  transaction: Transaction<Tables>,
  companyId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number | undefined, ParentNode>> {
  const rows = await transaction
    .selectFrom('node')
    .select(['id', 'path', 'nestaddr', 'sort_path as sortPath', 'address'])
    .select(sql<string | null>`uuid::text`.as('uuid'))
    .where('company_id', '=', companyId)
    .where(sql<boolean>`id = any(${[...ids]}::bigint[])`)
    .execute()
  const none: ParentNode = { ...toNoParent(companyId), uuid: null, address: null }
  const parents = new Map<number | undefined, ParentNode>(rows.map((row) => [row.id, { ...row, companyId }]))
  return parents.set(undefined, none)
}

/** Reads the children of the parents, by parent, and always the projects, by null. */
async function readChildren(
  transaction: Transaction<Tables>,
  companyId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number | null, readonly SiblingRow[]>> {
  const rows: SiblingRow[] = await transaction
    .selectFrom('node')
    .select(['id', 'parent_id as parentId', 'name', 'sort_path as sortPath'])
    .where('company_id', '=', companyId)
    .where(sql<boolean>`(parent_id = any(${[...ids]}::bigint[]) or parent_id is null)`)
    .execute()
  return Map.groupBy(rows, ({ parentId }) => parentId)
}

/** Positions of new children by name; undefined if an existing sibling would have to move. */
function findRoom(
  parentId: number | null,
  siblings: readonly SiblingRow[],
  names: readonly string[],
): ReadonlyMap<string, string> | undefined {
  const added = names.map((name): SiblingRow => ({ id: null, parentId, name, sortPath: '' }))
  const ordered = sortByName([...siblings, ...added], ({ name }) => name)
  const positions = arrange(
    ordered.map(({ id, sortPath }) => (id === null ? undefined : positionOf(sortPath))),
  )
  const room = new Map<string, string>()
  for (const [index, { id, name, sortPath }] of ordered.entries()) {
    const position = positions[index] ?? ''
    if (id === null) room.set(name, position)
    else if (position !== positionOf(sortPath)) return undefined
  }
  return room
}

/** Moves siblings to make room. Returns the positions of the new children by name. */
async function makeRoom(
  transaction: Transaction<Tables>,
  parent: Parent,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const places = await findPlaces(transaction, parent, names)
  return new Map([...places].map(([name, place]) => [name, positionOf(place)]))
}

function pickParent(
  parents: ReadonlyMap<number | undefined, ParentNode>,
  id: number | undefined,
): ParentNode {
  const parent = parents.get(id)
  if (!parent) throw new AppError('node.not-found')
  return parent
}

function toAddress(level: number, parent: ParentNode, name: string): string | null {
  if (level <= treeLevels.building) return null
  return parent.address === null ? name : `${parent.address}${ADDRESS_SEPARATOR}${name}`
}

function toRow(id: number, node: AddedNode, parent: ParentNode, sortPath: string): Insertable<NodeTable> {
  const { level, name } = node
  return {
    id,
    company_id: parent.companyId,
    key: toOwnKey(id),
    parent_id: parent.id,
    kind: toKind(level),
    level,
    name,
    sort_path: sortPath,
    uuid: level < treeLevels.building ? null : level === treeLevels.building ? randomUUID() : parent.uuid,
    address: toAddress(level, parent, name),
    path: `${parent.path}${id}/`,
    nestaddr: parent.nestaddr === '' ? name : `${parent.nestaddr},${name}`,
    emitter: node.emitter ?? null,
    area_m2: node.areaM2 ?? null,
    is_test: node.isTest,
    description: node.description,
  }
}

/**
 * Adds many nodes, each below an existing node. The company must be locked (lockCompany). Returns their ids in order.
 * Throws entity.taken if a sibling has the name, node.not-found if a parent no longer exists.
 */
export async function addNodes(
  transaction: Transaction<Tables>,
  companyId: number,
  nodes: readonly AddedNode[],
): Promise<readonly number[]> {
  const parentIds = [...new Set(nodes.flatMap(({ parentId }) => parentId ?? []))]
  const ids = await reserveNodeIds(transaction, nodes.length)
  const numbered = nodes.map((node, index) => ({ node, id: ids[index] ?? 0 }))
  const groups = Map.groupBy(numbered, ({ node }) => node.parentId)
  const read = () => readParents(transaction, companyId, parentIds)
  let parents = await read()
  const children = await readChildren(transaction, companyId, parentIds)
  const rooms = new Map<number | undefined, ReadonlyMap<string, string>>()
  for (const [parentId, added] of groups) {
    const names = added.map(({ node }) => node.name)
    const parent = pickParent(parents, parentId)
    const room = findRoom(parent.id, children.get(parent.id) ?? [], names)
    rooms.set(parentId, room ?? (await makeRoom(transaction, parent, names)))
    // Siblings moved with their subtrees, which may contain other parents of the new nodes.
    if (!room) parents = await read()
  }
  const rows: Insertable<NodeTable>[] = []
  for (const [parentId, added] of groups) {
    const parent = pickParent(parents, parentId)
    const room = rooms.get(parentId) ?? new Map<string, string>()
    for (const { node, id } of added) {
      rows.push(toRow(id, node, parent, `${parent.sortPath}${placeOf(room, node.name)}${END}`))
    }
  }
  await insertNodes(transaction, companyId, rows)
  const paths = [...new Set(nodes.map(({ parentId }) => pickParent(parents, parentId).path))]
  await toSignal('structure_changed', toPayload({ companyId, paths })).execute(transaction)
  return ids
}
