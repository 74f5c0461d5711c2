import type { NodeKey } from '@isotherm/contract/tree'
import { create } from 'zustand'

/** What other features need to know of a tree node. */
export interface SelectedNode {
  readonly key: NodeKey
  readonly label: string
  readonly level: number
  /** Comma-joined names from the project down to the node; absent on the root. */
  readonly nestaddr: string | undefined
}

export interface TreeSelection {
  /** The node clicked last. */
  readonly current: SelectedNode | undefined
  /** Keys of all checked nodes, at once. */
  readonly checked: ReadonlySet<NodeKey>
  readonly expanded: ReadonlySet<NodeKey>
  /** Checked nodes that have a nestaddr, about 0.4 s after the last change (specification, section 4). */
  readonly published: readonly SelectedNode[]
  /**
   * The fewest nodes whose subtrees are what is published. Checking a node also checks its ancestors, so a
   * checked ancestor with an unchecked branch is not in here.
   */
  readonly covering: readonly NodeKey[]
}

const nothing: TreeSelection = {
  current: undefined,
  checked: new Set(),
  expanded: new Set(),
  published: [],
  covering: [],
}

/** Written by the network feature's tree, read by every page. */
export const useTreeSelection = create<TreeSelection>(() => nothing)

export const clearTreeSelection = (): void => useTreeSelection.setState(nothing)

const everything: readonly NodeKey[] = []

/** Roots of the subtrees a page shows: what is checked, else the current node, else (empty) everything. */
export function toSelectedNodes(selection: Pick<TreeSelection, 'covering' | 'current'>): readonly NodeKey[] {
  if (selection.covering.length > 0) return selection.covering
  return selection.current && selection.current.level > 0 ? [selection.current.key] : everything
}

let lastKey: NodeKey | undefined
let lastList: readonly NodeKey[] = everything

/** As toSelectedNodes; the same list as long as the selection is the same, so it may stand in query keys. */
export function useSelectedNodes(): readonly NodeKey[] {
  return useTreeSelection((selection) => {
    const nodes = toSelectedNodes(selection)
    if (nodes === selection.covering || nodes === everything) return nodes
    if (nodes[0] !== lastKey) {
      lastKey = nodes[0]
      lastList = nodes
    }
    return lastList
  })
}
