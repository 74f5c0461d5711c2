import type { OutputOf } from '@isotherm/contract/endpoint'
import type { getPlace } from '@isotherm/contract/endpoints/network/tree'
import type { NodeKey } from '@isotherm/contract/tree'
import { AppError } from '../../../platform/app-error.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { findNodeId } from './named-nodes.pg.ts'

/** Name and address of a node. Throws node.not-found. */
export async function readPlace(db: Database, key: NodeKey): Promise<OutputOf<typeof getPlace>> {
  const id = await findNodeId(db, key)
  const node = db.selectFrom('node').select(['name', 'nestaddr']).where('id', '=', id)
  const row = await node.executeTakeFirst()
  if (!row) throw new AppError('node.not-found')
  return { node: key, ...row }
}
