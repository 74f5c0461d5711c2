import type { NodeKey } from '@isotherm/contract/tree'
import type { Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Call } from '../../../platform/http/call.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { lockNodes } from '../nodes/lock-tree.pg.ts'
import { findNodeId } from '../nodes/named-nodes.pg.ts'

/**
 * Saves items about nodes in the caller's scope, all or none, and returns the nodes' ids. Throws request.malformed if
 * a node occurs twice.
 */
export async function editEach<Item extends { readonly node: NodeKey }>(
  db: Database,
  items: readonly Item[],
  { caller, operation }: Pick<Call, 'caller' | 'operation'>,
  save: (transaction: Transaction<Tables>, id: number, item: Item) => Promise<unknown>,
): Promise<readonly number[]> {
  const ids = await Promise.all(items.map(({ node }) => findNodeId(db, node)))
  if (new Set(ids).size < ids.length) {
    throw new AppError('request.malformed', { detail: 'items: a node occurs twice' })
  }
  await operate(db, operation, async (transaction) => {
    await lockNodes(transaction, caller.scope, ids)
    for (const [index, item] of items.entries()) await save(transaction, ids[index] ?? 0, item)
  })
  return ids
}
