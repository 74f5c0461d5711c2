import { sortByName } from '@isotherm/kernel/chinese-numerals'
import { type Insertable, sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import { unlessUsed } from '../../../platform/postgres/still-used.pg.ts'
import { refuseDuplicates } from '../../../platform/postgres/unique.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { addTreeNames, dropTreeNames } from '../names/tree-names.pg.ts'
import type { LockedNode } from '../nodes/lock-tree.pg.ts'
import { arrange, END, positionOf } from '../nodes/positions.ts'
import type { NodeTable } from '../nodes/tables.ts'

const ROWS_PER_STATEMENT = 1_000

/** Parent of nodes: another node, or the company for projects. */
export interface Parent {
  readonly companyId: number
  readonly id: number | null
  readonly path: string
  /** '' for the company. */
  readonly nestaddr: string
  readonly sortPath: string
}

export const toParent = (node: LockedNode): Parent => ({ ...node, id: node.id })

export const toNoParent = (companyId: number): Parent => ({
  companyId,
  id: null,
  path: '/',
  nestaddr: '',
  sortPath: '',
})

const fieldsByConstraint = { node_sibling: 'name', node_test: 'test', node_address: 'address' } as const

/** Awaits a change of nodes. Throws entity.taken if a sibling has the same name or address. */
const refuseTakenNames = <Result>(change: Promise<Result>): Promise<Result> =>
  refuseDuplicates(fieldsByConstraint, change)

/**
 * Condition for the node at `path` and everything below it, as a range of the index. '0' is the character after '/'.
 */
const isAtOrBelow = (path: string) =>
  sql<boolean>`node.path >= ${path} and node.path < ${`${path.slice(0, -1)}0`}`

interface Sibling {
  readonly id: number | null
  readonly name: string
  readonly path: string
  readonly sortPath: string
}

const listSiblings = (
  transaction: Transaction<Tables>,
  { companyId, id }: Parent,
  exceptId: number | undefined,
) =>
  transaction
    .selectFrom('node')
    .select(['id', 'name', 'path', 'sort_path as sortPath'])
    .where('company_id', '=', companyId)
    // `is not distinct from` would scan every node of the company.
    .where('parent_id', id === null ? 'is' : '=', id)
    .where('id', '<>', exceptId ?? 0)
    .execute()

/** Rewrites the sort paths of a sibling's subtree. */
const moveInOrder = (transaction: Transaction<Tables>, { path, sortPath }: Sibling, to: string) =>
  sql`
    update node set sort_path = ${to} || substr(sort_path, ${sortPath.length + 1}::int)
    where ${isAtOrBelow(path)}`.execute(transaction)

/**
 * Finds sort paths for new nodes among their siblings, ordered by name. The siblings' sort paths change only if there
 * is no room left between them.
 */
export async function findPlaces(
  transaction: Transaction<Tables>,
  parent: Parent,
  names: readonly string[],
  exceptId?: number,
): Promise<ReadonlyMap<string, string>> {
  const siblings: Sibling[] = await listSiblings(transaction, parent, exceptId)
  const added = names.map((name): Sibling => ({ id: null, name, path: '', sortPath: '' }))
  const ordered = sortByName([...siblings, ...added], ({ name }) => name)
  const positions = arrange(
    ordered.map(({ id, sortPath }) => (id === null ? undefined : positionOf(sortPath))),
  )
  const places = new Map<string, string>()
  for (const [index, sibling] of ordered.entries()) {
    const place = `${parent.sortPath}${positions[index]}${END}`
    if (sibling.id === null) places.set(sibling.name, place)
    else if (place !== sibling.sortPath) await moveInOrder(transaction, sibling, place)
  }
  return places
}

/** Returns the sort path found for the new node with that name. Throws if there is none. */
export function placeOf(places: ReadonlyMap<string, string>, name: string): string {
  const place = places.get(name)
  if (!place) throw new Error(`no place was found for "${name}"`)
  return place
}

/** Reserves ids for new nodes. */
export async function reserveNodeIds(transaction: Transaction<Tables>, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('node', 'id')) as id from generate_series(1, ${count}::int)`.execute(
    transaction,
  )
  return rows.map(({ id }) => id)
}

/** Reserves the id of a new node. */
export async function reserveNodeId(transaction: Transaction<Tables>): Promise<number> {
  const [id] = await reserveNodeIds(transaction, 1)
  if (id === undefined) throw new Error('PostgreSQL returned no id')
  return id
}

/** Registry file key of a node that was not imported from a registry file. */
export const toOwnKey = (id: number): string => `#${id}`

/** Adds nodes, parents first. Throws entity.taken. */
export async function insertNodes(
  transaction: Transaction<Tables>,
  companyId: number,
  rows: readonly Insertable<NodeTable>[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const some = rows.slice(start, start + ROWS_PER_STATEMENT)
    await refuseTakenNames(transaction.insertInto('node').values(some).execute())
  }
  const levels = rows.map(({ level }) => level)
  await addTreeNames(transaction, companyId, { levels, names: rows.map(({ name }) => name) })
}

/** The new values of an edited node. The position among its siblings follows from them. */
export interface NodeEdit {
  readonly parent: Parent
  readonly name: string
  readonly level: number
  readonly description?: string | undefined
  readonly isTest?: boolean | undefined
}

/** Finds the sort path of an edited node. It stays the same if the order is still right. */
async function findPlace(
  transaction: Transaction<Tables>,
  node: LockedNode,
  { parent, name }: NodeEdit,
): Promise<string> {
  if (parent.id === node.parentId && name === node.name) return node.sortPath
  if (parent.id === node.parentId) {
    const siblings: Sibling[] = await listSiblings(transaction, parent, node.id)
    const itself: Sibling = { id: node.id, name, path: node.path, sortPath: node.sortPath }
    const ordered = sortByName([...siblings, itself], (each) => each.name)
    const index = ordered.indexOf(itself)
    const [before, after] = [index > 0 ? ordered[index - 1] : undefined, ordered[index + 1]]
    const follows = before === undefined || before.sortPath < node.sortPath
    if (follows && (after === undefined || node.sortPath < after.sortPath)) return node.sortPath
  }
  const places = await findPlaces(transaction, parent, [name], node.id)
  return placeOf(places, name)
}

/** Removes the test mark before a move: the target project may have a test-marked sub-user of its own. */
const dropTestMark = (transaction: Transaction<Tables>, id: number) =>
  transaction
    .updateTable('node')
    .set({ is_test: false })
    .where('id', '=', id)
    .where('is_test', '=', true)
    .execute()

/** Timeout for renaming or moving a node high up in a large company; readers do not wait for it. */
const REWRITE_LIMIT = '300s'

/**
 * Renames, moves or describes a node: one statement for the node itself, one for the paths of its subtree. Returns
 * its new path. Throws entity.taken.
 */
export async function rewriteNode(
  transaction: Transaction<Tables>,
  node: LockedNode,
  edit: NodeEdit,
): Promise<string> {
  const { parent, name, level, description, isTest } = edit
  const path = `${parent.path}${node.id}/`
  const nestaddr = parent.nestaddr === '' ? name : `${parent.nestaddr},${name}`
  if (isTest === false && path !== node.path) await dropTestMark(transaction, node.id)
  const sortPath = await findPlace(transaction, node, edit)
  if (path !== node.path || nestaddr !== node.nestaddr || sortPath !== node.sortPath) {
    await sql`select set_config('statement_timeout', ${REWRITE_LIMIT}, true)`.execute(transaction)
    // Making room among siblings may have moved this node too, so the length of its sort path is read again.
    await refuseTakenNames(
      sql`
        update node set path = ${path} || substr(path, ${node.path.length + 1}::int),
          nestaddr = ${nestaddr} || substr(nestaddr, char_length(${node.nestaddr}) + 1),
          sort_path = ${sortPath} || substr(sort_path, 1 + (
            select length(itself.sort_path) from node itself where itself.id = ${node.id}))
        where ${isAtOrBelow(node.path)}`.execute(transaction),
    )
  }
  await refuseTakenNames(
    transaction
      .updateTable('node')
      .set({
        parent_id: parent.id,
        name,
        level,
        ...(description === undefined ? {} : { description }),
        ...(isTest === undefined ? {} : { is_test: isTest }),
      })
      .where('id', '=', node.id)
      .execute(),
  )
  if (name !== node.name || level !== node.level) {
    await addTreeNames(transaction, node.companyId, { levels: [level], names: [name] })
    await dropTreeNames(transaction, node.companyId, { levels: [node.level], names: [node.name] })
  }
  return path
}

/** Throws entity.in-use if a device on another node controls one of the nodes. */
async function refuseControlled(transaction: Transaction<Tables>, ids: readonly number[]): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select distinct device.name from control_device join device on device.id = control_device.device_id
    where control_device.node_id = any(${[...ids]}::bigint[]) order by device.name limit 20`.execute(
    transaction,
  )
  if (rows.length > 0) throw new AppError('entity.in-use', { by: rows.map(({ name }) => name).join(', ') })
}

/**
 * Removes nodes of a company, all or none. Throws node.not-empty if one of them has a device, or a child that is not
 * in `ids`; entity.in-use if a device on another node controls one of them.
 */
export async function deleteNodes(
  transaction: Transaction<Tables>,
  companyId: number,
  ids: readonly number[],
): Promise<void> {
  const given = sql`${[...ids]}::bigint[]`
  // From here on no other transaction can add a row that refers to these nodes.
  await sql`select from node where id = any(${given}) order by id for update`.execute(transaction)
  const { rows } = await sql<{ used: boolean }>`
    select exists (select from device where node_id = any(${given}))
      or exists (select from node where parent_id = any(${given}) and not id = any(${given})) as used`.execute(
    transaction,
  )
  if (rows[0]?.used) throw new AppError('node.not-empty')
  await refuseControlled(transaction, ids)
  const removed = await unlessUsed(
    transaction
      .deleteFrom('node')
      .where(sql<boolean>`id = any(${given})`)
      .returning(['level', 'name'])
      .execute(),
    (cause) => new AppError('node.not-empty', {}, { cause }),
  )
  const levels = removed.map(({ level }) => level)
  await dropTreeNames(transaction, companyId, { levels, names: removed.map(({ name }) => name) })
}
