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

/**
 * By node number: 0 if the node represents its whole subtree, otherwise 1. A node represents its subtree if it and every
 * node below are checked, and no unchecked node below can be missing. A node that is checked only because of a node below
 * it represents its subtree if all its children are loaded and each represents its own.
 */
export function findBroken(columns: Columns): Uint8Array {
  const broken = new Uint8Array(columns.count)
  const { order, parents, sizes, flags } = columns
  for (let position = columns.live - 1; position >= 0; position -= 1) {
    const node = at(order, position)
    const state = at(flags, node)
    const all = (state & flag.chosen) !== 0 || ((state & flag.complete) !== 0 && at(sizes, node) > 1)
    if ((state & flag.checked) !== 0 && all && broken[node] === 0) continue
    broken[node] = 1
    const parent = at(parents, node)
    if (parent !== NO_NODE) broken[parent] = 1
  }
  return broken
}

/** The smallest set of nodes (without the root) with subtrees that are exactly the checked nodes; in tree order. */
export function listCovering(columns: Columns, broken: Uint8Array): NodeNumber[] {
  const covering: NodeNumber[] = []
  let position = 1
  while (position < columns.live) {
    const node = at(columns.order, position)
    if (broken[node] === 1) position += 1
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
