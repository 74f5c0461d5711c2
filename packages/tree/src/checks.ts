import {
  at,
  type Columns,
  clearFlag,
  clearFlagBelow,
  flag,
  hasFlag,
  NO_NODE,
  type NodeNumber,
  setFlag,
  setFlagBelow,
} from './columns.ts'

/** Checks a node with all its ancestors and descendants (specification, section 4). */
export function checkNode(columns: Columns, node: NodeNumber): void {
  setFlagBelow(columns, node, flag.checked | flag.chosen)
  clearFlagBelow(columns, node, flag.declined)
  checkAbove(columns, node)
}

/** Checks the ancestors of a checked node. They are checked from the first checked one up. */
export function checkAbove(columns: Columns, node: NodeNumber): void {
  let above = at(columns.parents, node)
  while (above !== NO_NODE && !hasFlag(columns, above, flag.checked)) {
    setFlag(columns, above, flag.checked)
    above = at(columns.parents, above)
  }
}

/** Unchecks a node with its descendants. Its ancestors stay checked, but no longer directly. */
export function uncheckNode(columns: Columns, node: NodeNumber): void {
  clearFlagBelow(columns, node, flag.checked | flag.chosen)
  setFlag(columns, node, flag.declined)
  for (let above = at(columns.parents, node); above !== NO_NODE; above = at(columns.parents, above)) {
    clearFlag(columns, above, flag.chosen)
  }
}

/** What a node represents: itself with its whole subtree, only parts of it, or nothing. */
export const represents = { whole: 0, parts: 1, nothing: 2 } as const

/**
 * By node number: what the node represents. A node represents its subtree if it and every
 * node below are checked, and no unchecked node below can be missing. A node that is checked only because of a node below
 * it represents its subtree if all its children are loaded and each represents its own.
 */
export function findBroken(columns: Columns): Uint8Array {
  const broken = new Uint8Array(columns.count)
  /** Nodes with a node below them, or themselves, that represents something. */
  const hasParts = new Uint8Array(columns.count)
  const { order, parents, sizes, flags } = columns
  for (let position = columns.live - 1; position >= 0; position -= 1) {
    const node = at(order, position)
    const state = at(flags, node)
    const parent = at(parents, node)
    const all = (state & flag.chosen) !== 0 || ((state & flag.complete) !== 0 && at(sizes, node) > 1)
    const isWhole = (state & flag.checked) !== 0 && all && broken[node] === represents.whole
    // Below a checked node that is not loaded, restored nodes may be checked.
    const mayHave = (state & flag.checked) !== 0 && (state & flag.complete) === 0
    if (isWhole || mayHave) hasParts[node] = 1
    if (!isWhole) broken[node] = hasParts[node] === 1 ? represents.parts : represents.nothing
    if (parent === NO_NODE) continue
    if (!isWhole) broken[parent] = represents.parts
    if (hasParts[node] === 1) hasParts[parent] = 1
  }
  return broken
}

/** The smallest set of nodes (without the root) with subtrees that are exactly the checked nodes; in tree order. */
export function listCovering(columns: Columns, broken: Uint8Array): NodeNumber[] {
  const covering: NodeNumber[] = []
  let position = 1
  while (position < columns.live) {
    const node = at(columns.order, position)
    if (broken[node] !== represents.whole) position += 1
    else {
      covering.push(node)
      position += at(columns.sizes, node)
    }
  }
  return covering
}

/** Marks checked nodes without a checked node below them as checked directly. */
export function chooseLowest(columns: Columns): void {
  const below = new Uint8Array(columns.count)
  for (let position = columns.live - 1; position >= 0; position -= 1) {
    const node = at(columns.order, position)
    const checked = (at(columns.flags, node) & flag.checked) !== 0
    if (checked && below[node] === 0) setFlag(columns, node, flag.chosen)
    const parent = at(columns.parents, node)
    if ((checked || below[node] === 1) && parent !== NO_NODE) below[parent] = 1
  }
}

/** Whether the user unchecked the node or one above it. */
export function isDeclined(columns: Columns, node: NodeNumber): boolean {
  for (let each = node; each !== NO_NODE; each = at(columns.parents, each)) {
    if (hasFlag(columns, each, flag.declined)) return true
  }
  return false
}
