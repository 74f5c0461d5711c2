import { at, type Columns, flag, NO_NODE, type NodeNumber } from './columns.ts'

/** Visible rows, top to bottom. The same object is refilled at every change: read it, do not store it. */
export interface Rows {
  readonly count: number
  /** Node of a row; an index outside reads the root. */
  at(row: number): NodeNumber
  /** Row of a node, -1 if it is not visible. */
  indexOf(node: NodeNumber): number
}

export interface RowBuffer extends Rows {
  fill(columns: Columns, searching: boolean): void
}

export function createRows(): RowBuffer {
  let nodes = new Int32Array(256)
  let count = 0

  /** Rows without those in closed branches. */
  function fillOpen({ order, sizes, flags, live }: Columns): void {
    let position = 0
    while (position < live) {
      const node = at(order, position)
      nodes[count] = node
      count += 1
      position += (at(flags, node) & flag.expanded) !== 0 ? 1 : at(sizes, node)
    }
  }

  /**
   * Rows of a search: the matches, their ancestors (always open), and the nodes below open matches.
   */
  function fillFound({ order, sizes, flags, live }: Columns): void {
    const shown = flag.match | flag.leading
    let matchEnds = 0
    let position = 0
    while (position < live) {
      const node = at(order, position)
      const state = at(flags, node)
      if (position > 0 && position >= matchEnds && (state & shown) === 0) {
        position += at(sizes, node)
        continue
      }
      if ((state & flag.match) !== 0) matchEnds = Math.max(matchEnds, position + at(sizes, node))
      nodes[count] = node
      count += 1
      const open = position === 0 || (state & (flag.expanded | flag.leading)) !== 0
      position += open ? 1 : at(sizes, node)
    }
  }

  return {
    get count() {
      return count
    },
    at: (row) => at(nodes, row),
    indexOf: (node) => nodes.subarray(0, count).indexOf(node),
    fill(columns, searching) {
      if (nodes.length < columns.live) nodes = new Int32Array(columns.flags.length)
      count = 0
      if (searching) fillFound(columns)
      else fillOpen(columns)
    },
  }
}

/** Position of a node among its visible siblings, from 1, and their number. */
export interface Place {
  readonly position: number
  readonly siblings: number
}

/** Finds positions; counts the visible children of each parent once per version. */
export function createPlaces(columns: Columns) {
  const counted = new Map<NodeNumber, ReadonlyMap<NodeNumber, number>>()
  let stamp = -1

  return function findPlace(node: NodeNumber, version: number, searching: boolean): Place {
    const parent = at(columns.parents, node)
    if (parent === NO_NODE) return { position: 1, siblings: 1 }
    if (version !== stamp) counted.clear()
    stamp = version
    const places = counted.get(parent) ?? countChildren(columns, parent, searching)
    counted.set(parent, places)
    return { position: places.get(node) ?? 1, siblings: places.size }
  }
}

function countChildren(columns: Columns, parent: NodeNumber, searching: boolean): Map<NodeNumber, number> {
  const places = new Map<NodeNumber, number>()
  const free = !searching || isBelowMatch(columns, parent)
  const end = at(columns.positions, parent) + at(columns.sizes, parent)
  let position = at(columns.positions, parent) + 1
  while (position < end) {
    const child = at(columns.order, position)
    if (free || (at(columns.flags, child) & (flag.match | flag.leading)) !== 0)
      places.set(child, places.size + 1)
    position += at(columns.sizes, child)
  }
  return places
}

function isBelowMatch(columns: Columns, node: NodeNumber): boolean {
  for (let above = node; above !== NO_NODE; above = at(columns.parents, above)) {
    if ((at(columns.flags, above) & flag.match) !== 0) return true
  }
  return false
}
