import { MOST_DEPTH } from './columns.ts'

/** Nodes to put below a parent, from top to bottom, each with what is below it right behind it. */
export interface NodeList {
  /** Unique in the whole tree. */
  readonly keys: readonly string[]
  readonly labels: readonly string[]
  /** 1 for a child of the parent, 2 for a grandchild and so on; at most one more than the node before. */
  readonly depths: ArrayLike<number>
  /** What the node stands for and its level, 0 to 255 each, in the caller's own counting. */
  readonly kinds: ArrayLike<number>
  readonly levels: ArrayLike<number>
  /** 1 where the list holds every child of the node; 0 or absent where some may be missing. */
  readonly complete?: ArrayLike<number>
}

/**
 * Index in the list of each node's parent, -1 for a child of the common parent. Throws RangeError when the
 * depths are not those of a tree.
 */
export function findParents({ keys, depths }: NodeList, below: number): Int32Array {
  const parents = new Int32Array(keys.length)
  const path = new Int32Array(MOST_DEPTH + 2).fill(-1)
  let before = 0
  for (let index = 0; index < keys.length; index += 1) {
    const depth = depths[index] ?? 0
    if (depth < 1 || depth > before + 1 || depth + below > MOST_DEPTH) {
      throw new RangeError(`depth ${depth} of node ${index} does not follow ${before}`)
    }
    parents[index] = path[depth - 1] ?? -1
    path[depth] = index
    before = depth
  }
  return parents
}
