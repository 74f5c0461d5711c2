import type { RegistryNode } from '@isotherm/contract/network/registry-file'
import { ROOT_PATH } from '../../../platform/scope/scope.ts'
import { positionOf } from '../nodes/positions.ts'
import type { PlacedNode } from './layout.ts'

/** The changes of an import to the stored tree. */
export interface StructureChanges {
  /** New and changed nodes, parents first. */
  readonly nodes: readonly PlacedNode[]
  /** Paths of the parents whose children changed, '/' for the projects. */
  readonly parents: readonly string[]
}

/** The values of a node that the tree shows, with its position among its siblings, as a text to compare. */
const toShown = ({ node, sortPath }: PlacedNode): string =>
  JSON.stringify([
    node.name,
    node.kind,
    node.level,
    node.stype ?? '',
    node.test ?? false,
    node.description ?? '',
    positionOf(sortPath),
  ])

/** All stored values of a node as a text to compare. */
const toStored = ({ node, ...place }: PlacedNode): string =>
  JSON.stringify([
    place.id,
    place.parentId,
    place.uuid,
    place.address,
    place.path,
    place.nestaddr,
    place.sortPath,
    node.name,
    node.kind,
    node.level,
    node.areaM2 ?? 0,
    node.stype ?? '',
    node.test ?? false,
    node.description ?? '',
  ])

/**
 * Compares a tree with the stored one. A child that is added, moved, renamed, marked differently or reordered changes
 * its parent. Children of a new node are not reported separately. A moved parent is reported with its new path.
 */
export function findChanges(
  stored: ReadonlyMap<string, PlacedNode>,
  placed: readonly PlacedNode[],
): StructureChanges {
  const pathById = new Map(placed.map(({ id, path }) => [id, path]))
  const pathOf = (id: number | null): string => (id === null ? ROOT_PATH : (pathById.get(id) ?? ROOT_PATH))
  const added = new Set<number>()
  const nodes: PlacedNode[] = []
  const parents = new Set<string>()
  for (const now of placed) {
    const before = stored.get(now.node.key)
    if (!before) added.add(now.id)
    if (before && toStored(before) === toStored(now)) continue
    nodes.push(now)
    const isShownDifferently = !before || before.parentId !== now.parentId || toShown(before) !== toShown(now)
    if (!isShownDifferently) continue
    if (before && before.parentId !== now.parentId) parents.add(pathOf(before.parentId))
    if (now.parentId === null || !added.has(now.parentId)) parents.add(pathOf(now.parentId))
  }
  return { nodes, parents: [...parents] }
}

/** Returns the nodes of a file followed by the stored nodes that the file does not contain, parents first. */
export function withOtherStored(
  nodes: readonly RegistryNode[],
  stored: ReadonlyMap<string, PlacedNode>,
): readonly RegistryNode[] {
  const inFile = new Set(nodes.map(({ key }) => key))
  const others = [...stored.values()].flatMap(({ node }) => (inFile.has(node.key) ? [] : [node]))
  return [...nodes, ...others.toSorted((left, right) => left.level - right.level)]
}
