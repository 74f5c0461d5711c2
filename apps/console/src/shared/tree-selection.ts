import { type NodeKey, ROOT_KEY } from '@isotherm/contract/tree'
import { createTree, type Tree, type TreeState } from '@isotherm/tree/tree'
import { create } from 'zustand'

/** What other features need to know of a tree node. */
export interface SelectedNode {
  readonly key: NodeKey
  readonly label: string
  readonly level: number
  /** Comma-joined names from the project down to the node; absent on the root. */
  readonly nestaddr: string | undefined
}

/** The checked nodes that have a nestaddr; half a million of them cost nothing until somebody looks. */
export interface PublishedNodes extends Iterable<SelectedNode> {
  readonly count: number
}

export interface TreeSelection {
  /** The tree as far as it is loaded, with what is checked and expanded in it. */
  readonly tree: Tree
  /** The node clicked last. */
  readonly current: SelectedNode | undefined
  /** Checked nodes that have a nestaddr, about 0.4 s after the last change (specification, section 4). */
  readonly published: PublishedNodes
  /**
   * The fewest nodes whose subtrees are what is published. Checking a node also checks its ancestors, so a
   * checked ancestor with an unchecked branch is not in here.
   */
  readonly covering: readonly NodeKey[]
}

const nothingPublished: PublishedNodes = { count: 0, [Symbol.iterator]: () => [].values() }

const createSelection = (): TreeSelection => ({
  tree: createTree(ROOT_KEY),
  current: undefined,
  published: nothingPublished,
  covering: [],
})

/** Written by the network feature's tree, read by every page. */
export const useTreeSelection = create<TreeSelection>(createSelection)

/** An empty tree with nothing chosen in it, as before anybody signed in. */
export const clearTreeSelection = (): void => useTreeSelection.setState(createSelection())

/** What is checked and expanded, for a page that will put it back. */
export const saveTreeState = (): Required<TreeState> => useTreeSelection.getState().tree.state()

/** Puts back what a page saved; nodes that are not loaded yet get it when they come. Published as any change is. */
export const restoreTreeState = (state: TreeState): void => useTreeSelection.getState().tree.restore(state)

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
