/**
 * Storage of the tree's nodes: one typed array per property, indexed by the node's number, and the preorder of the nodes. In
 * that order a subtree is one run: the node and the `size - 1` nodes after it.
 */

/** Number of a node while it is in the tree. It does not change with other nodes; numbers of removed nodes are reused. */
export type NodeNumber = number

export const ROOT_NODE: NodeNumber = 0
/** Number that means "no node". */
export const NO_NODE: NodeNumber = -1

export const flag = {
  checked: 1,
  /** Checked directly or by its ancestor, not only because a node below it was. */
  chosen: 2,
  expanded: 4,
  /** All its children are loaded. */
  complete: 8,
  /** Its label matches the search. */
  match: 16,
  /** A node below it matches the search. */
  leading: 32,
  /** The number is free. */
  gone: 64,
  /** The nodes below it can have changed since they were loaded. */
  stale: 128,
  /** Unchecked by the user: nodes below it that were checked before stay unchecked when they are loaded. */
  declined: 256,
} as const

/** Deepest node: depths are bytes. */
export const MAX_DEPTH = 255

export interface Columns {
  /** Numbers assigned so far, including free ones. */
  count: number
  /** Nodes in the tree, the root included: length of `order`. */
  live: number
  keys: string[]
  labels: string[]
  parents: Int32Array
  /** Nodes of the subtree, the node itself included. */
  sizes: Int32Array
  depths: Uint8Array
  levels: Uint8Array
  kinds: Uint8Array
  flags: Uint16Array
  /** Node at each position of the preorder, and position of each node. */
  order: Int32Array
  positions: Int32Array
  /** Free numbers of removed nodes. */
  readonly free: NodeNumber[]
}

const FIRST_CAPACITY = 256

export function createColumns(): Columns {
  const numbers = () => new Int32Array(FIRST_CAPACITY)
  const bytes = () => new Uint8Array(FIRST_CAPACITY)
  return {
    count: 0,
    live: 0,
    keys: [],
    labels: [],
    parents: numbers(),
    sizes: numbers(),
    depths: bytes(),
    levels: bytes(),
    kinds: bytes(),
    flags: new Uint16Array(FIRST_CAPACITY),
    order: numbers(),
    positions: numbers(),
    free: [],
  }
}

/** `array[index]`; 0 for an index outside, which is an error of the caller. */
export const at = (array: Int32Array | Uint16Array | Uint8Array, index: number): number => array[index] ?? 0

export const hasFlag = (columns: Columns, node: NodeNumber, bits: number): boolean =>
  (at(columns.flags, node) & bits) !== 0

export function setFlag(columns: Columns, node: NodeNumber, bits: number): void {
  columns.flags[node] = at(columns.flags, node) | bits
}

export function clearFlag(columns: Columns, node: NodeNumber, bits: number): void {
  columns.flags[node] = at(columns.flags, node) & ~bits
}

/** Whether all children of the node are loaded and none can have changed. */
export const isComplete = (columns: Columns, node: NodeNumber): boolean =>
  (at(columns.flags, node) & (flag.complete | flag.stale)) === flag.complete

/** Whether the node has no known children, even if they can have changed since. */
export const isLeaf = (columns: Columns, node: NodeNumber): boolean =>
  at(columns.sizes, node) === 1 && hasFlag(columns, node, flag.complete)

/** Sets bits on all nodes of a subtree. */
export function setFlagBelow(columns: Columns, node: NodeNumber, bits: number): void {
  const { flags, order } = columns
  const from = at(columns.positions, node)
  const to = from + at(columns.sizes, node)
  for (let position = from; position < to; position += 1) {
    const each = at(order, position)
    flags[each] = at(flags, each) | bits
  }
}

/** Clears bits on all nodes of a subtree. */
export function clearFlagBelow(columns: Columns, node: NodeNumber, bits: number): void {
  const { flags, order } = columns
  const from = at(columns.positions, node)
  const to = from + at(columns.sizes, node)
  for (let position = from; position < to; position += 1) {
    const each = at(order, position)
    flags[each] = at(flags, each) & ~bits
  }
}

const grown = (array: Int32Array, capacity: number): Int32Array => {
  const copy = new Int32Array(capacity)
  copy.set(array)
  return copy
}

const grownBytes = (array: Uint8Array, capacity: number): Uint8Array => {
  const copy = new Uint8Array(capacity)
  copy.set(array)
  return copy
}

/** Reserves space for `extra` more nodes. */
export function reserve(columns: Columns, extra: number): void {
  const needed = columns.count + extra
  if (needed <= columns.flags.length) return
  const capacity = Math.max(needed, columns.flags.length + (columns.flags.length >> 1))
  columns.parents = grown(columns.parents, capacity)
  columns.sizes = grown(columns.sizes, capacity)
  columns.order = grown(columns.order, capacity)
  columns.positions = grown(columns.positions, capacity)
  columns.depths = grownBytes(columns.depths, capacity)
  columns.levels = grownBytes(columns.levels, capacity)
  columns.kinds = grownBytes(columns.kinds, capacity)
  const flags = new Uint16Array(capacity)
  flags.set(columns.flags)
  columns.flags = flags
}

/** Data of a new node. */
export interface NodeFields {
  readonly key: string
  readonly label: string
  readonly kind: number
  readonly level: number
  readonly parent: NodeNumber
  readonly depth: number
}

/** Assigns a number to a new node, which is not in the order yet. Space must have been reserved. */
export function addNode(columns: Columns, fields: NodeFields, flags: number): NodeNumber {
  const node = columns.free.pop() ?? columns.count
  if (node === columns.count) columns.count += 1
  columns.keys[node] = fields.key
  columns.labels[node] = fields.label
  columns.parents[node] = fields.parent
  columns.depths[node] = fields.depth
  columns.levels[node] = fields.level
  columns.kinds[node] = fields.kind
  columns.sizes[node] = 1
  columns.flags[node] = flags
  return node
}

/** Frees the number of a node that is no longer in the order. */
export function freeNode(columns: Columns, node: NodeNumber): void {
  columns.keys[node] = ''
  columns.labels[node] = ''
  columns.flags[node] = flag.gone
  columns.free.push(node)
}
