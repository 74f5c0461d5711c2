import { ADDRESS_SEPARATOR, type NodeKey, toAddressKey } from '@isotherm/contract/tree'
import type { NodeIdentityRow } from './store.ts'

/** The key by which the wire names a stored node. */
export function toNodeKey({ id, uuid, address }: NodeIdentityRow): NodeKey {
  if (uuid === null) return String(id)
  if (address === null) return uuid
  return toAddressKey(uuid, address.split(ADDRESS_SEPARATOR).length, address)
}
