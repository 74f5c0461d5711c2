import { type NodeKey, ROOT_KEY } from '@isotherm/contract/tree'
import { createTree, ROOT_NODE, type Tree } from '@isotherm/tree/tree'
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
  /**
   * What was selected is no longer there. Pages show nothing until the user chooses anew or asks for all: that
   * a selection becomes everything by itself must not happen to who is about to send a command.
   */
  readonly gone: boolean
}

const nothingPublished: PublishedNodes = { count: 0, [Symbol.iterator]: () => [].values() }

const createSelection = (): TreeSelection => ({
  tree: createTree(ROOT_KEY),
  current: undefined,
  published: nothingPublished,
  covering: [],
  gone: false,
})

/** Written by the network feature's tree, read by every page. */
export const useTreeSelection = create<TreeSelection>(createSelection)

/** An empty tree with nothing chosen in it, as before anybody signed in. */
export const clearTreeSelection = (): void => useTreeSelection.setState(createSelection())

const everything: readonly NodeKey[] = []

/** Pages show all again: nothing is checked, no node is current, and nothing that was selected is missed. */
export function showEverything(): void {
  const { tree } = useTreeSelection.getState()
  tree.check(ROOT_NODE, false)
  useTreeSelection.setState({
    gone: false,
    current: undefined,
    covering: everything,
    published: nothingPublished,
  })
}

type Selection = Pick<TreeSelection, 'covering' | 'current' | 'gone'>

/**
 * Roots of the subtrees a page shows: what is checked, else the current node, else (empty) everything; absent
 * when what was selected is gone.
 */
export function toSelectedNodes({ covering, current, gone }: Selection): readonly NodeKey[] | undefined {
  if (gone) return undefined
  if (covering.length > 0) return covering
  return current && current.level > 0 ? [current.key] : everything
}

/** Short for a selection: what was chosen on a page counts only as long as that is the same. */
export const toSelectionMark = (nodes: readonly NodeKey[]): string =>
  nodes.length === 0 ? '' : `${nodes.length}.${nodes[0]}`

let lastKey: NodeKey | undefined
let lastList: readonly NodeKey[] = everything

/**
 * As toSelectedNodes; the same list as long as the selection is the same, so it may stand in query keys. Where
 * it is absent a page shows SelectionGone (shared/ui) in place of what depends on it.
 */
export function useSelectedNodes(): readonly NodeKey[] | undefined {
  return useTreeSelection((selection) => {
    const nodes = toSelectedNodes(selection)
    if (nodes === undefined || nodes === selection.covering || nodes === everything) return nodes
    if (nodes[0] !== lastKey) {
      lastKey = nodes[0]
      lastList = nodes
    }
    return lastList
  })
}
