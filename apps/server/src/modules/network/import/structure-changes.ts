import type { RegistryNode } from '@isotherm/contract/registry-file'
import { ROOT_PATH } from '../../../platform/scope/scope.ts'
import { positionOf } from '../nodes/positions.ts'
import type { PlacedNode } from './layout.ts'

/** What an import changes of a stored tree. */
export interface StructureChanges {
  /** Nodes that are new or stand differently, parents first. */
  readonly nodes: readonly PlacedNode[]
  /** Paths of the parents whose children look different now, '/' for the projects. */
  readonly parents: readonly string[]
}

/** What the tree shows of a node itself and where it stands among its siblings. */
const toLook = ({ node, sortPath }: PlacedNode): string =>
  JSON.stringify([
    node.name,
    node.kind,
    node.level,
    node.stype ?? '',
    node.test ?? false,
    node.description ?? '',
    positionOf(sortPath),
  ])

const toFacts = ({ node, ...place }: PlacedNode): string =>
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
 * Compares a tree with what is stored of it. A child that is added, moved, renamed, marked otherwise or
 * stands at another place among its siblings changes its parent; what stands below a new parent does not
 * count by itself. A parent that moved is named by where it stands now.
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
    if (before && toFacts(before) === toFacts(now)) continue
    nodes.push(now)
    const isShownOtherwise = !before || before.parentId !== now.parentId || toLook(before) !== toLook(now)
    if (!isShownOtherwise) continue
    if (before && before.parentId !== now.parentId) parents.add(pathOf(before.parentId))
    if (now.parentId === null || !added.has(now.parentId)) parents.add(pathOf(now.parentId))
  }
  return { nodes, parents: [...parents] }
}

/** The nodes of a file, and after them those stored before that the file does not name, parents first. */
export function withUnnamed(
  nodes: readonly RegistryNode[],
  stored: ReadonlyMap<string, PlacedNode>,
): readonly RegistryNode[] {
  const named = new Set(nodes.map(({ key }) => key))
  const unnamed = [...stored.values()].flatMap(({ node }) => (named.has(node.key) ? [] : [node]))
  return [...nodes, ...unnamed.toSorted((left, right) => left.level - right.level)]
}
