import type { RegistryNode } from '@isotherm/contract/network/registry-file'
import { ADDRESS_SEPARATOR } from '@isotherm/contract/tree'
import { sortByName } from '@isotherm/kernel/chinese-numerals'
import { arrange, END } from '../nodes/positions.ts'
import { RegistryFileError } from './registry-file-error.ts'

/** A node of a registry file with its place in the stored tree. */
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

/** The values of a node that later imports do not change. */
export interface NodeIdentity {
  readonly id: number
  /** Of a sub-user. */
  readonly uuid: string | null
  /** Its stored place: key of the parent and position among the siblings. */
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
      `node "${node.key}": a ${node.kind} cannot be below ${parent?.kind ?? 'nothing'}`,
    )
  }
  if (parent && parent.level >= node.level) {
    throw new RegistryFileError(`node "${node.key}": its level ${node.level} is not below its parent's`)
  }
}

/** Position of each node among its siblings. As many as possible keep the position they have below the same parent. */
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

/** Refuses two siblings with the same name: users could not tell them apart, and two addresses would have one key. */
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

/** Refuses a second test-marked sub-user in one project. */
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
 * Computes paths, joined names, addresses and order of the nodes of a file. `identify` returns the identity of a key.
 * Throws RegistryFileError for a key used twice, an unknown parent or a place that is not allowed.
 */
export function placeNodes(
  nodes: readonly RegistryNode[],
  identify: (key: string) => NodeIdentity,
): readonly PlacedNode[] {
  const positions = toPositions(nodes, identify)
  const placed = new Map<string, PlacedNode>()
  for (const node of nodes) {
    if (placed.has(node.key)) throw new RegistryFileError(`node "${node.key}" is in the file twice`)
    const parent = node.parent === null ? undefined : placed.get(node.parent)
    if (node.parent !== null && !parent) {
      throw new RegistryFileError(
        `node "${node.key}": its parent "${node.parent}" is not before it in the file`,
      )
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
