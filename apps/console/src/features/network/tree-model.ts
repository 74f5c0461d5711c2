import { ROOT, type TreeNode } from './tree-node.ts'

/**
 * The loaded part of the tree, flat: nodes by key and the order of each node's children. Children that are
 * not in `childrenOf` are not loaded yet. A change gives a new model whose maps may be the old ones, grown.
 */
export interface TreeModel {
  readonly nodes: ReadonlyMap<string, TreeNode>
  readonly childrenOf: ReadonlyMap<string, readonly string[]>
}

export const emptyTree: TreeModel = { nodes: new Map([[ROOT.key, ROOT]]), childrenOf: new Map() }

const noChildren: readonly string[] = []
export const childrenOf = (tree: TreeModel, key: string): readonly string[] =>
  tree.childrenOf.get(key) ?? noChildren

/** Whether a node can be opened: it has children, or nobody has looked yet. */
export const isBranch = (tree: TreeModel, key: string): boolean => tree.childrenOf.get(key)?.length !== 0

/** A sub-user comes with all that is below it; a group may have more than was loaded with it. */
const isComplete = (node: TreeNode): boolean => node.nodetype === 'user' || node.nodetype === 'addr'

/** Replaces what is below `parent` by `nodes`, which may hold several levels, parents before children. */
export function putChildren(tree: TreeModel, parent: string, nodes: readonly TreeNode[]): TreeModel {
  const kept = dropBelow(tree, parent)
  const all = new Map(kept.nodes)
  const children = new Map<string, string[]>([[parent, []]])
  for (const node of nodes) {
    all.set(node.key, node)
    const siblings = children.get(node.parent ?? parent)
    if (siblings) siblings.push(node.key)
    else children.set(node.parent ?? parent, [node.key])
    if (isComplete(node) && !children.has(node.key)) children.set(node.key, [])
  }
  return { nodes: all, childrenOf: new Map([...kept.childrenOf, ...children]) }
}

/** The tree without anything below `key`, as if it had not been loaded. */
export function dropBelow(tree: TreeModel, key: string): TreeModel {
  if (!tree.childrenOf.has(key)) return tree
  const nodes = new Map(tree.nodes)
  const children = new Map(tree.childrenOf)
  for (const below of listBelow(tree, key)) {
    nodes.delete(below)
    children.delete(below)
  }
  children.delete(key)
  return { nodes, childrenOf: children }
}

/** Keys of all loaded nodes below `key`, parents before children. */
export function listBelow(tree: TreeModel, key: string): readonly string[] {
  const below: string[] = []
  const waiting = [...childrenOf(tree, key)].reverse()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    below.push(next)
    const children = childrenOf(tree, next)
    for (let index = children.length - 1; index >= 0; index -= 1) {
      const child = children[index]
      if (child !== undefined) waiting.push(child)
    }
  }
  return below
}

/** Keys of the ancestors of a node, nearest first. */
export function listAbove(tree: TreeModel, key: string): readonly string[] {
  const above: string[] = []
  let parent = tree.nodes.get(key)?.parent
  while (parent !== undefined) {
    above.push(parent)
    parent = tree.nodes.get(parent)?.parent
  }
  return above
}
