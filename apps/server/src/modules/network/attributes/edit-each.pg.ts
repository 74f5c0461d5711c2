import type { NodeKey } from '@isotherm/contract/tree'
import type { Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Call } from '../../../platform/http/call.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { lockNodes } from '../nodes/lock-tree.pg.ts'
import { findNodeId } from '../nodes/read-nodes.pg.ts'

/** Saves what items say of nodes that the caller is granted, all or none; gives the nodes' ids. A node may stand once. */
export async function editEach<Item extends { readonly node: NodeKey }>(
  db: Database,
  items: readonly Item[],
  { caller, operation }: Pick<Call, 'caller' | 'operation'>,
  save: (transaction: Transaction<Tables>, id: number, item: Item) => Promise<unknown>,
): Promise<readonly number[]> {
  const ids = await Promise.all(items.map(({ node }) => findNodeId(db, node)))
  if (new Set(ids).size < ids.length) {
    throw new AppError('request.malformed', { detail: 'items: a node stands twice' })
  }
  await operate(db, operation, async (transaction) => {
    await lockNodes(transaction, caller.scope, ids)
    for (const [index, item] of items.entries()) await save(transaction, ids[index] ?? 0, item)
  })
  return ids
}
