import { sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import { lockVersion } from '../../../platform/operation/lock-version.pg.ts'
import { covers, type Scope } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { NodeKind } from './tables.ts'

/** A node of a locked tree. Only the transaction that has the lock changes it. */
export interface LockedNode {
  readonly id: number
  readonly companyId: number
  readonly parentId: number | null
  readonly kind: NodeKind
  readonly level: number
  readonly name: string
  readonly uuid: string | null
  readonly path: string
  readonly nestaddr: string
  readonly sortPath: string
}

/**
 * Locks the tree of a company for one writer until the transaction ends; imports take the same lock. Readers do not
 * wait. Returns false if the company does not exist.
 */
export async function lockCompany(transaction: Transaction<Tables>, companyId: number): Promise<boolean> {
  const { rows } = await sql`select from company where id = ${companyId} for no key update`.execute(
    transaction,
  )
  return rows.length > 0
}

/** Locks the node at a path for one writer of its settings until the transaction ends. Undefined if there is no such node. */
export const lockNodeAt = (
  transaction: Transaction<Tables>,
  path: string,
): Promise<{ readonly id: number } | undefined> =>
  transaction.selectFrom('node').select('id').where('path', '=', path).forNoKeyUpdate().executeTakeFirst()

const readNodes = (transaction: Transaction<Tables>, ids: readonly number[]) =>
  transaction
    .selectFrom('node')
    .select([
      'id',
      'company_id as companyId',
      'parent_id as parentId',
      'kind',
      'level',
      'name',
      sql<string | null>`uuid::text`.as('uuid'),
      'path',
      'nestaddr',
      'sort_path as sortPath',
    ])
    .where(sql<boolean>`id = any(${[...ids]}::bigint[])`)
    .execute()

const compareIds = (left: LockedNode, right: LockedNode): number => left.id - right.id

/**
 * Locks the tree of the nodes and returns their current state by id. Throws node.not-found if one no longer exists or
 * is outside the scope, node.bad-place if they belong to different companies.
 */
export async function lockNodes(
  transaction: Transaction<Tables>,
  scope: Scope,
  ids: readonly number[],
): Promise<ReadonlyMap<number, LockedNode>> {
  const [before] = await readNodes(transaction, ids.slice(0, 1))
  if (!before) throw new AppError('node.not-found')
  await lockCompany(transaction, before.companyId)
  const nodes = (await readNodes(transaction, ids)).toSorted(compareIds)
  const isInScope = nodes.every(({ path }) => covers(scope, path))
  if (!isInScope || nodes.length < new Set(ids).size) throw new AppError('node.not-found')
  const stranger = nodes.find(({ companyId }) => companyId !== before.companyId)
  if (stranger) throw new AppError('node.bad-place', { detail: `${before.name} ↔ ${stranger.name}` })
  return new Map(nodes.map((node) => [node.id, node]))
}

/** Reads the parent of a node in a locked tree, whatever the scope. Throws node.not-found. */
export async function readParent(
  transaction: Transaction<Tables>,
  { parentId }: LockedNode,
): Promise<LockedNode> {
  const [parent] = await readNodes(transaction, parentId === null ? [] : [parentId])
  if (!parent) throw new AppError('node.not-found')
  return parent
}

/** Returns the node with that id. Throws node.not-found. */
export function pickNode(nodes: ReadonlyMap<number, LockedNode>, id: number): LockedNode {
  const node = nodes.get(id)
  if (!node) throw new AppError('node.not-found')
  return node
}

/** Checks that the node has not changed since the caller read it. Throws entity.stale, node.not-found. */
export async function lockNodeVersion(
  transaction: Transaction<Tables>,
  id: number,
  version: number,
): Promise<void> {
  const isThere = await lockVersion(transaction, { table: 'node', entity: 'node', id, version })
  if (!isThere) throw new AppError('node.not-found')
}
