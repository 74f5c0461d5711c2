import type { NodeType } from '@isotherm/contract/endpoints/tree'
import { ADDRESS_SEPARATOR, type NodeKey, toAddressKey } from '@isotherm/contract/tree'
import type { NodeIdentityRow } from '../answers/store.ts'
import type { NodeKind } from './tables.ts'

/** What the wire calls the kinds of stored nodes. */
export const nodeTypes: Readonly<Record<NodeKind, NodeType>> = {
  project: 'project',
  group: 'group',
  'sub-user': 'user',
  address: 'addr',
}

/** The key by which the wire names a stored node. */
export function toNodeKey({ id, uuid, address }: NodeIdentityRow): NodeKey {
  if (uuid === null) return String(id)
  if (address === null) return uuid
  return toAddressKey(uuid, address.split(ADDRESS_SEPARATOR).length, address)
}
