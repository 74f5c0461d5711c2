import type { NodeKey } from '@isotherm/contract/tree'
import type { SelectedNode } from '../../shared/tree-selection.ts'
import { childrenOf, listAbove, listBelow, type TreeModel } from './tree-model.ts'
import { ROOT, type TreeNode } from './tree-node.ts'

/**
 * Checks a node with all its ancestors and loaded descendants, or unchecks it with its descendants; nothing
 * else follows by itself (specification, section 4).
 */
export function setChecked(
  tree: TreeModel,
  checked: ReadonlySet<string>,
  key: string,
  on: boolean,
): ReadonlySet<string> {
  const result = new Set(checked)
  const touched = [key, ...listBelow(tree, key)]
  if (on) for (const each of [...touched, ...listAbove(tree, key)]) result.add(each)
  else for (const each of touched) result.delete(each)
  return result
}

/**
 * The fewest nodes whose subtrees are what is checked. A checked node stands for its whole subtree only when
 * every loaded node below it is checked too: it may be checked for the sake of one descendant. The root is
 * never in it, since no row of the server stands behind it.
 */
export function computeCovering(tree: TreeModel, checked: ReadonlySet<string>): readonly NodeKey[] {
  const covering: NodeKey[] = []
  const collect = (key: string): boolean => {
    const before = covering.length
    let whole = checked.has(key)
    for (const child of childrenOf(tree, key)) whole = collect(child) && whole
    const node = tree.nodes.get(key)
    if (!whole || !node || key === ROOT.key) return whole
    covering.length = before
    covering.push(node.node)
    return true
  }
  collect(ROOT.key)
  return [...new Set(covering)]
}

/**
 * Whether a checked node stands for its whole subtree: it, or a node above it, is one of the covering ones.
 * `covering` holds keys as the server knows them.
 */
export const isCovered = (tree: TreeModel, covering: ReadonlySet<NodeKey>, key: string): boolean =>
  [key, ...listAbove(tree, key)].some((each) => covering.has(tree.nodes.get(each)?.node ?? each))

export const toSelected = ({ node, label, level, nestaddr }: TreeNode): SelectedNode => ({
  key: node,
  label,
  level,
  nestaddr,
})

/** Checked nodes that have a nestaddr, in tree order. */
export function listPublished(tree: TreeModel, checked: ReadonlySet<string>): readonly SelectedNode[] {
  const published: SelectedNode[] = []
  for (const key of listBelow(tree, ROOT.key)) {
    const node = tree.nodes.get(key)
    if (node?.nestaddr !== undefined && checked.has(key)) published.push(toSelected(node))
  }
  return published
}
