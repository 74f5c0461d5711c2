import type { NodeType } from '@isotherm/contract/endpoints/network/tree'
import { ADDRESS_SEPARATOR, type NodeKey, type ParsedNodeKey, toAddressKey } from '@isotherm/contract/tree'
import type { NodeKind } from './tables.ts'

/** The columns that make up a node's key. */
export interface NodeIdentityRow {
  readonly id: number
  /** Of a sub-user; an address has the uuid of its sub-user. */
  readonly uuid: string | null
  /** Of an address. */
  readonly address: string | null
}

/** A parsed key of a single node: neither the root nor invalid. */
export type NodeName = Exclude<ParsedNodeKey, { readonly kind: 'root' | 'invalid' }>

/** Node types of the wire by stored kind. */
export const nodeTypes: Readonly<Record<NodeKind, NodeType>> = {
  project: 'project',
  group: 'group',
  'sub-user': 'user',
  address: 'addr',
}

/** Returns the key of a stored node on the wire. */
export function toNodeKey({ id, uuid, address }: NodeIdentityRow): NodeKey {
  if (uuid === null) return String(id)
  if (address === null) return uuid
  return toAddressKey(uuid, address.split(ADDRESS_SEPARATOR).length, address)
}
