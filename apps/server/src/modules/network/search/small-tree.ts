import { compareNames, type KnownName, rankNames, ranks, toContaining } from '../names/search-match.ts'
import type { SearchText } from '../names/search-text.ts'
import type { FoundNode, StepRow } from './found-node.ts'
import { type KnownPart, type PartLevels, toLevels } from './search-levels.ts'

/** A node of a small scope, which is searched in memory, or an ancestor of one. */
export interface SmallNode extends StepRow {
  readonly path: string
  readonly sortPath: string
  /** False for an ancestor outside the scope. */
  readonly isInside: boolean
}

/** A name and its nodes in tree order. */
export interface UsedName extends KnownName {
  readonly nodes: readonly SmallNode[]
}

/** All nodes of a small scope. */
export interface SmallTree {
  /** In the order of compareNames. */
  readonly names: readonly UsedName[]
  readonly byId: ReadonlyMap<number, { readonly node: SmallNode; readonly name: UsedName }>
  /** Ancestors of a node, from the project down. */
  above(node: SmallNode): readonly SmallNode[]
}

const compareText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)
const inTreeOrder = (left: SmallNode, right: SmallNode): number => compareText(left.sortPath, right.sortPath)

/** Groups nodes by name. `nameOf` returns the search forms of a node's name. */
export function toSmallTree<Node extends SmallNode>(
  nodes: readonly Node[],
  nameOf: (node: Node) => KnownName,
): SmallTree {
  const byName = new Map<string, { name: KnownName; nodes: Node[] }>()
  for (const node of nodes) {
    const name = nameOf(node)
    const key = JSON.stringify([name.companyId, name.level, name.name])
    const known = byName.get(key)
    if (known) known.nodes.push(node)
    else byName.set(key, { name, nodes: [node] })
  }
  const names = [...byName.values()]
    .map(({ name, nodes: named }) => ({ ...name, nodes: named.toSorted(inTreeOrder) }))
    .toSorted(compareNames)
  const byId = new Map(names.flatMap((name) => name.nodes.map((node) => [node.id, { node, name }])))
  return {
    names,
    byId,
    above: ({ path }) =>
      path
        .split('/')
        .slice(1, -2)
        .flatMap((id) => byId.get(Number(id))?.node ?? []),
  }
}

/** Finds nodes of the scope by their names, best first, at most `limit`. */
export function findInTree({ names }: SmallTree, text: SearchText, limit: number): readonly FoundNode[] {
  const found: FoundNode[] = []
  for (const { name, rank } of rankNames(names, text)) {
    for (const { id, path, isInside } of name.nodes) {
      if (!isInside) continue
      found.push({ nodeId: id, path, level: name.level, rank })
      if (found.length === limit) return found
    }
  }
  return found
}

/** Counts, for each text, the names that contain it, by level. */
export function countContaining(
  { names }: { readonly names: readonly KnownName[] },
  texts: readonly string[],
): ReadonlyMap<string, ReadonlyMap<number, number>> {
  return new Map(
    texts.map((text) => {
      const contains = toContaining(text)
      const counts = new Map<number, number>()
      for (const name of names) {
        if (contains(name)) counts.set(name.level, (counts.get(name.level) ?? 0) + 1)
      }
      return [text, counts]
    }),
  )
}

interface Hit {
  readonly companyId: number
  readonly first: SmallNode
  readonly node: SmallNode
}

/**
 * Returns a function that walks up from a node of the last part and returns the node that matches the first part,
 * undefined if the path does not match.
 */
function createWalk(tree: SmallTree, parts: readonly KnownPart[], levels: PartLevels) {
  const contains = parts.map(({ texts, withPrevious }) => {
    const any = texts.map(toContaining)
    const inOne = withPrevious === undefined ? undefined : toContaining(withPrevious)
    return {
      apart: new Set(tree.names.filter((name) => any.some((each) => each(name)))),
      together: new Set(inOne ? tree.names.filter(inOne) : []),
    }
  })
  const known = parts.map(() => new Map<SmallNode, SmallNode | undefined>())

  function walk(index: number, node: SmallNode): SmallNode | undefined {
    const results = known[index]
    if (results?.has(node)) return results.get(node)
    const first = findFirst(index, node)
    results?.set(node, first)
    return first
  }

  function findFirst(index: number, node: SmallNode): SmallNode | undefined {
    const part = contains[index]
    const name = tree.byId.get(node.id)?.name
    if (!part || !name || !levels[index]?.includes(node.level)) return undefined
    if (index === 0) return part.apart.has(name) ? node : undefined
    const together = part.together.has(name) ? walk(index - 1, node) : undefined
    if (together) return together
    if (!part.apart.has(name)) return undefined
    for (const above of tree.above(node)) {
      const first = walk(index - 1, above)
      if (first) return first
    }
    return undefined
  }

  return (node: SmallNode) => walk(parts.length - 1, node)
}

const compareHits = (left: Hit, right: Hit): number =>
  left.companyId - right.companyId ||
  inTreeOrder(left.first, right.first) ||
  inTreeOrder(left.node, right.node) ||
  left.node.id - right.node.id

/** Finds nodes of the scope whose name contains the last part and whose ancestors contain the other parts in order. */
export function findPartsInTree(
  tree: SmallTree,
  parts: readonly KnownPart[],
  limit: number,
): readonly FoundNode[] {
  const found = new Map<number, FoundNode>()
  for (const levels of toLevels(parts)) {
    const walk = createWalk(tree, parts, levels)
    const [last] = levels.at(-1) ?? []
    const hits = tree.names
      .filter(({ level }) => level === last)
      .flatMap(({ nodes, companyId }) =>
        nodes.flatMap((node): Hit[] => {
          const first = node.isInside && !found.has(node.id) ? walk(node) : undefined
          return first ? [{ companyId, first, node }] : []
        }),
      )
    for (const { node } of hits.toSorted(compareHits)) {
      found.set(node.id, { nodeId: node.id, path: node.path, level: node.level, rank: ranks.address })
    }
    if (found.size >= limit) break
  }
  return [...found.values()].slice(0, limit)
}
