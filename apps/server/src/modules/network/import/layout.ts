import type { RegistryNode } from '@isotherm/contract/registry-file'
import { ADDRESS_SEPARATOR } from '@isotherm/contract/tree'
import { sortByName } from '@isotherm/kernel/chinese-numerals'
import { arrange, END } from '../nodes/positions.ts'
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
  /** Where it stands so far: key of the parent, and position among the siblings there. */
  readonly place?: { readonly parent: string | null; readonly position: string }
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

/** Position of each node among its siblings: as many as possible keep the one they have below the same parent. */
function toPositions(
  nodes: readonly RegistryNode[],
  identify: (key: string) => NodeIdentity,
): ReadonlyMap<string, string> {
  const positions = new Map<string, string>()
  for (const [parent, siblings] of Map.groupBy(nodes, (node) => node.parent)) {
    const ordered = sortByName(siblings, ({ name }) => name)
    const known = ordered.map(({ key }) => {
      const { place } = identify(key)
      return place?.parent === parent ? place.position : undefined
    })
    for (const [index, position] of arrange(known).entries()) {
      const key = ordered[index]?.key
      if (key !== undefined) positions.set(key, position)
    }
  }
  return positions
}

function toAddress(node: RegistryNode, parent: PlacedNode | undefined): string | null {
  if (node.kind !== 'address') return null
  return parent?.address ? `${parent.address}${ADDRESS_SEPARATOR}${node.name}` : node.name
}

/** Refuses two siblings of one name: nobody could tell them apart, and of addresses the keys would be the same. */
function checkSiblings(nodes: readonly RegistryNode[]): void {
  const known = new Set<string>()
  for (const { key, parent, name } of nodes) {
    const sibling = JSON.stringify([parent, name])
    if (known.has(sibling)) {
      throw new RegistryFileError(`node "${key}": there is another "${name}" below the same parent`)
    }
    known.add(sibling)
  }
}

/** Refuses a second sub-user that exists for testing in one project. */
function checkTests(placed: Iterable<PlacedNode>): void {
  const known = new Set<string | undefined>()
  for (const { node, path } of placed) {
    if (!node.test) continue
    const [, project] = path.split('/')
    if (node.kind !== 'sub-user' || known.has(project)) {
      throw new RegistryFileError(`node "${node.key}": only one sub-user of a project is for testing`)
    }
    known.add(project)
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
  const positions = toPositions(nodes, identify)
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
      sortPath: `${parent?.sortPath ?? ''}${positions.get(node.key) ?? ''}${END}`,
    })
  }
  checkSiblings(nodes)
  checkTests(placed.values())
  return [...placed.values()]
}
