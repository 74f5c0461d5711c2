import type { RegistryNode } from '@isotherm/contract/registry-file'
import { ADDRESS_SEPARATOR } from '@isotherm/contract/tree'
import { compareNames } from '@isotherm/kernel/chinese-numerals'
import { RegistryFileError } from './registry-file-error.ts'

/** Where a node of a registry file stands in the stored tree. */
export interface PlacedNode {
  readonly node: RegistryNode
  readonly id: number
  readonly parentId: number | null
  readonly uuid: string | null
  readonly address: string | null
  readonly path: string
  readonly nestaddr: string
  readonly sortPath: string
}

/** Identity that a node keeps over imports. */
export interface NodeIdentity {
  readonly id: number
  /** Of a sub-user. */
  readonly uuid: string | null
}

const parentKinds: Readonly<Record<RegistryNode['kind'], readonly (RegistryNode['kind'] | 'none')[]>> = {
  project: ['none'],
  group: ['project', 'group'],
  'sub-user': ['group'],
  address: ['sub-user', 'address'],
}

function checkPlace(node: RegistryNode, parent: RegistryNode | undefined): void {
  if (!parentKinds[node.kind].includes(parent?.kind ?? 'none')) {
    throw new RegistryFileError(
      `node "${node.key}": a ${node.kind} cannot stand below ${parent?.kind ?? 'nothing'}`,
    )
  }
  if (parent && parent.level >= node.level) {
    throw new RegistryFileError(`node "${node.key}": its level ${node.level} is not below its parent's`)
  }
}

/** Length of one position in a sort path: base-36 signs with room for 1.6 million siblings. */
export const POSITION_SIGNS = 4

/** Position of each node among its siblings. */
function toPositions(nodes: readonly RegistryNode[]): ReadonlyMap<string, string> {
  const positions = new Map<string, string>()
  for (const siblings of Map.groupBy(nodes, (node) => node.parent).values()) {
    const ordered = siblings.toSorted((left, right) => compareNames(left.name, right.name))
    for (const [index, { key }] of ordered.entries())
      positions.set(key, index.toString(36).padStart(POSITION_SIGNS, '0'))
  }
  return positions
}

function toAddress(node: RegistryNode, parent: PlacedNode | undefined): string | null {
  if (node.kind !== 'address') return null
  return parent?.address ? `${parent.address}${ADDRESS_SEPARATOR}${node.name}` : node.name
}

/** Refuses two addresses of one name below one parent: their keys on the wire would be the same. */
function checkAddresses(placed: Iterable<PlacedNode>): void {
  const known = new Set<string>()
  for (const { node, uuid, address } of placed) {
    if (address === null) continue
    const name = `${uuid}${ADDRESS_SEPARATOR}${address}`
    if (known.has(name)) {
      throw new RegistryFileError(`node "${node.key}": there is another address "${address}" in its building`)
    }
    known.add(name)
  }
}

/**
 * Places the nodes of a file: paths, names from the top, addresses, order. `identify` gives each key its
 * identity. Throws RegistryFileError for a key used twice, an unknown parent or an impossible place.
 */
export function placeNodes(
  nodes: readonly RegistryNode[],
  identify: (key: string) => NodeIdentity,
): readonly PlacedNode[] {
  const positions = toPositions(nodes)
  const placed = new Map<string, PlacedNode>()
  for (const node of nodes) {
    if (placed.has(node.key)) throw new RegistryFileError(`node "${node.key}" stands in the file twice`)
    const parent = node.parent === null ? undefined : placed.get(node.parent)
    if (node.parent !== null && !parent) {
      throw new RegistryFileError(`node "${node.key}": its parent "${node.parent}" does not stand before it`)
    }
    checkPlace(node, parent?.node)
    const { id, uuid } = identify(node.key)
    placed.set(node.key, {
      node,
      id,
      parentId: parent?.id ?? null,
      uuid: node.kind === 'address' ? (parent?.uuid ?? null) : uuid,
      address: toAddress(node, parent),
      path: `${parent?.path ?? '/'}${id}/`,
      nestaddr: parent ? `${parent.nestaddr},${node.name}` : node.name,
      sortPath: `${parent?.sortPath ?? ''}${positions.get(node.key) ?? ''}`,
    })
  }
  checkAddresses(placed.values())
  return [...placed.values()]
}
