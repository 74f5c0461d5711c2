import { type NodeKey, ROOT_KEY } from '@isotherm/contract/tree'
import { createTree, ROOT_NODE, type Tree } from '@isotherm/tree/tree'
import { create } from 'zustand'

/** A tree node as other features need it. */
export interface SelectedNode {
  readonly key: NodeKey
  readonly label: string
  readonly level: number
  /** Comma-joined names from the project down to the node; absent on the root. */
  readonly nestaddr: string | undefined
}

/** The checked nodes that have a nestaddr. Computed during iteration, because there may be half a million. */
export interface PublishedNodes extends Iterable<SelectedNode> {
  readonly count: number
}

export interface TreeSelection {
  /** The loaded part of the tree with its checked and expanded nodes. */
  readonly tree: Tree
  /** The last clicked node. */
  readonly current: SelectedNode | undefined
  /** Checked nodes that have a nestaddr, about 0.4 s after the last change (specification, section 4). */
  readonly published: PublishedNodes
  /**
   * Smallest set of nodes whose subtrees equal the published nodes. Checking a node also checks its ancestors, so an
   * ancestor with an unchecked branch is not included.
   */
  readonly covering: readonly NodeKey[]
  /**
   * True if the selected node no longer exists. Pages then show nothing until the user selects again. They must not show
   * the whole network instead, because the user may be about to send a command.
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

/** Resets to an empty tree without a selection. */
export const clearTreeSelection = (): void => useTreeSelection.setState(createSelection())

const everything: readonly NodeKey[] = []

/** Clears the selection, so that pages show everything. */
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
 * Roots of the subtrees that a page shows: the checked nodes, else the current node, else an empty list for everything.
 * Undefined if the selected node is gone.
 */
export function toSelectedNodes({ covering, current, gone }: Selection): readonly NodeKey[] | undefined {
  if (gone) return undefined
  if (covering.length > 0) return covering
  return current && current.level > 0 ? [current.key] : everything
}

/** Short key of a selection. A choice on a page is valid only for the same key. */
export const toSelectionMark = (nodes: readonly NodeKey[]): string =>
  nodes.length === 0 ? '' : `${nodes.length}.${nodes[0]}`

let lastKey: NodeKey | undefined
let lastList: readonly NodeKey[] = everything

/**
 * Like toSelectedNodes, with a stable list for use in query keys. If undefined, a page shows SelectionGone (shared/ui).
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
