import { checkNode, findBroken, listCovering, represents, uncheckNode } from './checks.ts'
import {
  addNode,
  at,
  clearFlag,
  clearFlagBelow,
  createColumns,
  flag,
  hasFlag,
  isComplete,
  isLeaf,
  NO_NODE,
  type NodeNumber,
  ROOT_NODE,
  setFlag,
  setFlagBelow,
} from './columns.ts'
import { createKeyIndex } from './key-index.ts'
import type { NodeList } from './node-list.ts'
import { listChain, listChildren, walkBelow } from './preorder.ts'
import { putList, removeNode, type Storage } from './put.ts'
import { createPlaces, createRows, type Place, type Rows } from './rows.ts'
import { markMatches } from './search.ts'
import { forgetWaitingChecks, restoreState, saveState, type TreeState } from './state.ts'

export type { NodeNumber } from './columns.ts'
export { NO_NODE, ROOT_NODE } from './columns.ts'
export type { NodeList } from './node-list.ts'
export type { Place, Rows } from './rows.ts'
export type { TreeState } from './state.ts'

/** Data of a node. */
export interface NodeView {
  readonly key: string
  readonly label: string
  readonly kind: number
  readonly level: number
  /** 0 for the root. */
  readonly depth: number
  /** NO_NODE for the root. */
  readonly parent: NodeNumber
}

/**
 * A tree of any size that loads in parts, with checks, expansion and search. Nodes are identified by number, which does not
 * change while the node is in the tree. A change increases the version and notifies the listeners, once per `batch`.
 */
export interface Tree {
  version(): number
  subscribe(listener: () => void): () => void
  /** Makes several changes with one notification. */
  batch(work: () => void): void
  /** Number of nodes in the tree, including the root. */
  count(): number

  find(key: string): NodeNumber | undefined
  view(node: NodeNumber): NodeView
  children(node: NodeNumber): readonly NodeNumber[]
  /** Path from the root down to the node. */
  chain(node: NodeNumber): readonly NodeNumber[]
  /** Number of nodes of the subtree, including the node. */
  sizeOf(node: NodeNumber): number
  /** Visits a node and its subtree from the top down; `false` skips the nodes below the visited one. */
  walk(from: NodeNumber, visit: (node: NodeNumber) => boolean): void

  /** See putList. `complete`: the list contains all children of the parent. */
  put(parent: NodeNumber, list: NodeList, complete: boolean): void
  remove(node: NodeNumber): void
  /** Whether all children of the node are loaded. */
  isComplete(node: NodeNumber): boolean
  /** Whether the node has no known children; unchanged until it is loaded again. */
  isLeaf(node: NodeNumber): boolean
  /** Drops the state of removed nodes after a reload has finished. */
  forgetDeparted(): void
  /** Marks the nodes of a subtree as incomplete, because their children can have changed. */
  forgetComplete(node: NodeNumber): void

  isExpanded(node: NodeNumber): boolean
  expand(node: NodeNumber, on: boolean): void
  /** Every node of the tree, or of a subtree, at once. */
  expandAll(on: boolean, below?: NodeNumber): void

  isChecked(node: NodeNumber): boolean
  /** Checked directly or by its ancestor, not only because a node below it is. */
  isChosen(node: NodeNumber): boolean
  /** Checked, together with its whole subtree (see findBroken). */
  isWhole(node: NodeNumber): boolean
  /**
   * Whether the node, or a node below it, is selected. A node whose last selected descendant was unchecked stays checked
   * (specification, section 4), but selects nothing.
   */
  hasChosen(node: NodeNumber): boolean
  check(node: NodeNumber, on: boolean): void
  /** Checked nodes in order, including the root. */
  checked(): readonly NodeNumber[]
  /** The smallest set of nodes (without the root) with subtrees that are exactly the checked nodes. */
  covering(): readonly NodeNumber[]

  state(): Required<TreeState>
  /** Replaces the checked and expanded nodes; for nodes that are not loaded yet it applies when they are. */
  restore(state: TreeState): void

  /** Shows only nodes that contain the text, ignoring case; an empty text shows all. Returns the number of matches. */
  search(text: string): number
  isMatch(node: NodeNumber): boolean
  /** Visible rows; the object is refilled at the next change. */
  rows(): Rows
  /** Whether the row is open: expanded, or an ancestor of a match. */
  isOpen(node: NodeNumber): boolean
  place(node: NodeNumber): Place
}

/** An empty tree. Its root has `key`. */
export function createTree(key: string): Tree {
  const columns = createColumns()
  const storage: Storage = {
    columns,
    index: createKeyIndex(columns),
    pending: new Map(),
    departed: new Map(),
  }
  const rows = createRows()
  const findPlace = createPlaces(columns)
  const listeners = new Set<() => void>()
  let version = 0
  let batches = 0
  let sought = ''
  let matches = 0
  /** Versions at which rows, matches and broken nodes were last computed. */
  let rowsAt = -1
  let matchesAt = -1
  let brokenAt = -1
  let broken: Uint8Array = new Uint8Array(0)
  /** Version of the last change of nodes or of the search, and of the last of nodes or checks. */
  let nodesChanged = 0
  let checksChanged = 0

  const root = { key, label: '', kind: 0, level: 0, parent: NO_NODE, depth: 0 }
  columns.order[0] = addNode(columns, root, flag.expanded)
  columns.live = 1

  const notify = () => {
    for (const listener of listeners) listener()
  }

  function change(work: () => void): void {
    version += 1
    work()
    if (batches === 0) notify()
  }

  const changeNodes = (work: () => void): void =>
    change(() => {
      nodesChanged = version
      checksChanged = version
      work()
    })

  const changeChecks = (work: () => void): void =>
    change(() => {
      checksChanged = version
      work()
    })

  function findMatches(): void {
    if (matchesAt >= nodesChanged) return
    matchesAt = version
    matches = markMatches(columns, sought)
  }

  function currentRows(): Rows {
    if (rowsAt === version) return rows
    if (sought !== '') findMatches()
    rows.fill(columns, sought !== '')
    rowsAt = version
    return rows
  }

  function currentBroken(): Uint8Array {
    if (brokenAt < checksChanged) {
      broken = findBroken(columns)
      brokenAt = version
    }
    return broken
  }

  return {
    version: () => version,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    batch(work) {
      const before = version
      batches += 1
      try {
        work()
      } finally {
        batches -= 1
        if (batches === 0 && version !== before) notify()
      }
    },
    count: () => columns.live,

    find(sought) {
      const node = storage.index.find(sought)
      return node === NO_NODE ? undefined : node
    },
    view: (node) => ({
      key: columns.keys[node] ?? '',
      label: columns.labels[node] ?? '',
      kind: at(columns.kinds, node),
      level: at(columns.levels, node),
      depth: at(columns.depths, node),
      parent: at(columns.parents, node),
    }),
    children: (node) => listChildren(columns, node),
    chain: (node) => listChain(columns, node),
    sizeOf: (node) => at(columns.sizes, node),
    walk: (from, visit) => walkBelow(columns, from, visit),

    put: (parent, list, complete) => changeNodes(() => putList(storage, parent, list, complete)),
    remove: (node) => changeNodes(() => removeNode(storage, node)),
    isComplete: (node) => isComplete(columns, node),
    isLeaf: (node) => isLeaf(columns, node),
    forgetDeparted: () => storage.departed.clear(),
    forgetComplete: (node) => change(() => setFlagBelow(columns, node, flag.stale)),

    isExpanded: (node) => hasFlag(columns, node, flag.expanded),
    expand: (node, on) =>
      change(() => (on ? setFlag(columns, node, flag.expanded) : clearFlag(columns, node, flag.expanded))),
    expandAll: (on, below = ROOT_NODE) =>
      change(() =>
        on ? setFlagBelow(columns, below, flag.expanded) : clearFlagBelow(columns, below, flag.expanded),
      ),

    isChecked: (node) => hasFlag(columns, node, flag.checked),
    isChosen: (node) => hasFlag(columns, node, flag.chosen),
    isWhole: (node) => currentBroken()[node] === represents.whole,
    hasChosen: (node) => currentBroken()[node] !== represents.nothing,
    check: (node, on) =>
      changeChecks(() => {
        if (on) checkNode(columns, node)
        else uncheckNode(columns, node)
        if (node === ROOT_NODE && !on) forgetWaitingChecks(storage)
      }),
    checked() {
      const checked: NodeNumber[] = []
      for (let position = 0; position < columns.live; position += 1) {
        const node = at(columns.order, position)
        if (hasFlag(columns, node, flag.checked)) checked.push(node)
      }
      return checked
    },
    covering: () => listCovering(columns, currentBroken()),

    state: () => saveState(storage),
    restore: (state) => changeChecks(() => restoreState(storage, state)),

    search(text) {
      const wanted = text.trim()
      if (wanted !== sought) {
        sought = wanted
        changeNodes(() => {})
      }
      if (sought !== '') findMatches()
      return sought === '' ? 0 : matches
    },
    isMatch: (node) => sought !== '' && hasFlag(columns, node, flag.match),
    rows: currentRows,
    isOpen: (node) => hasFlag(columns, node, sought === '' ? flag.expanded : flag.expanded | flag.leading),
    place(node) {
      currentRows()
      return findPlace(node, version, sought !== '')
    },
  }
}
