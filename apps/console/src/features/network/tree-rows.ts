import { childrenOf, isBranch, listAbove, type TreeModel } from './tree-model.ts'
import { ROOT, type TreeNode } from './tree-node.ts'

/** A row as it stands in the list, with what a screen reader needs to place it. */
export interface TreeRow {
  readonly node: TreeNode
  readonly branch: boolean
  readonly open: boolean
  /** Position among its siblings, from 1, and their number. */
  readonly position: number
  readonly siblings: number
}

export interface RowOptions {
  readonly expanded: ReadonlySet<string>
  /** Keys to show while a search is on: matches, what leads to them, what is below them. */
  readonly found: Found | undefined
}

export interface Found {
  readonly matches: ReadonlySet<string>
  /** Ancestors of matches; they stand open. */
  readonly leading: ReadonlySet<string>
}

/** Loaded nodes whose name contains the keyword, whatever its case; nothing when there is no keyword. */
export function findNodes(tree: TreeModel, keyword: string): Found | undefined {
  const sought = keyword.trim().toLowerCase()
  if (sought === '') return undefined
  const matches = new Set<string>()
  const leading = new Set<string>()
  for (const node of tree.nodes.values()) {
    if (node.key === ROOT.key || !node.label.toLowerCase().includes(sought)) continue
    matches.add(node.key)
    for (const above of listAbove(tree, node.key)) {
      if (leading.has(above)) break
      leading.add(above)
    }
  }
  return { matches, leading }
}

interface Pending {
  readonly key: string
  readonly position: number
  readonly siblings: number
  /** Below a match everything may be shown. */
  readonly belowMatch: boolean
}

/** The rows to show, top to bottom, without the ones in closed branches. */
export function toRows(tree: TreeModel, { expanded, found }: RowOptions): readonly TreeRow[] {
  const rows: TreeRow[] = []
  const waiting: Pending[] = [{ key: ROOT.key, position: 1, siblings: 1, belowMatch: found === undefined }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { key, position, siblings } = next
    const node = tree.nodes.get(key)
    if (!node) continue
    const free = next.belowMatch || (found?.matches.has(key) ?? false)
    const leads = found?.leading.has(key) ?? false
    const open = leads || expanded.has(key)
    rows.push({ node, branch: isBranch(tree, key), open, position, siblings })
    if (!open) continue
    const children = childrenOf(tree, key).filter(
      (child) => free || found === undefined || found.matches.has(child) || found.leading.has(child),
    )
    for (let index = children.length - 1; index >= 0; index -= 1) {
      const child = children[index]
      if (child === undefined) continue
      waiting.push({ key: child, position: index + 1, siblings: children.length, belowMatch: free })
    }
  }
  return rows
}
