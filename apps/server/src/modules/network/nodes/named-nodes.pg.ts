import { type NodeKey, parseNodeKey } from '@isotherm/contract/tree'
import { type Kysely, sql } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import { isVisible } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { NodeIdentityRow, NodeName } from './node-key.ts'

/** A node that a key names, with its path. */
export interface NamedNodeRow extends NodeIdentityRow {
  readonly path: string
}

/**
 * Finds the named nodes, whatever the caller's scope; the caller of this function must check it. An unknown address
 * below the test-marked sub-user gives that sub-user: the tree shows the addresses of all sub-users below it.
 */
export async function findNamedNodes(
  db: Kysely<Tables>,
  names: readonly NodeName[],
): Promise<readonly NamedNodeRow[]> {
  const ids = names.flatMap((name) => (name.kind === 'group' ? [name.id] : []))
  const uuids = names.flatMap((name) => (name.kind === 'sub-user' ? [name.uuid] : []))
  const addresses = names.filter((name) => name.kind === 'address')
  const { rows } = await sql<NamedNodeRow>`
    select id, uuid::text, address, path from node where id = any(${ids}::bigint[]) and kind in ('project', 'group')
    union all select id, uuid::text, address, path from node where uuid = any(${uuids}::uuid[]) and kind = 'sub-user'
    union all select node.id, node.uuid::text, node.address, node.path from node
      join unnest(${addresses.map(({ uuid }) => uuid)}::uuid[], ${addresses.map(({ address }) => address)}::text[],
        ${addresses.map(({ depth }) => depth)}::int[]) requested (uuid, address, depth)
      on requested.uuid = node.uuid and requested.address = node.address
      where node.kind = 'address' and cardinality(string_to_array(node.address, '-')) = requested.depth
    union all select node.id, node.uuid::text, requested.address, node.path from node
      join unnest(${addresses.map(({ uuid }) => uuid)}::uuid[], ${addresses.map(({ address }) => address)}::text[],
        ${addresses.map(({ depth }) => depth)}::int[]) requested (uuid, address, depth) on requested.uuid = node.uuid
      where node.kind = 'sub-user' and node.is_test
        and cardinality(string_to_array(requested.address, '-')) = requested.depth
        and not exists (select from node own where own.uuid = requested.uuid and own.address = requested.address)`.execute(
    db,
  )
  return rows
}

/** Returns the id of the node with that key, whatever the caller's scope. Throws node.not-found. */
export async function findNodeId(db: Kysely<Tables>, key: NodeKey): Promise<number> {
  const name = parseNodeKey(key)
  if (name.kind === 'root' || name.kind === 'invalid') throw new AppError('node.not-found')
  const [found] = await findNamedNodes(db, [name])
  if (!found) throw new AppError('node.not-found')
  return found.id
}

/** Finds the nodes at `paths` that the scope shows, in any order. */
export const findVisibleNodes = (
  db: Kysely<Tables>,
  scope: Scope,
  paths: readonly string[],
): Promise<readonly NodeIdentityRow[]> =>
  db
    .selectFrom('node')
    .select(['id', sql<string | null>`uuid::text`.as('uuid'), 'address'])
    .where(sql<boolean>`path = any(${[...paths]}::text[])`)
    .where(isVisible('path', scope))
    .execute()
