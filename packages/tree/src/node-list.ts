import { MAX_DEPTH } from './columns.ts'

/** Nodes for a parent, in preorder: each node is followed by the nodes below it. */
export interface NodeList {
  /** Unique in the whole tree. */
  readonly keys: readonly string[]
  readonly labels: readonly string[]
  /** 1 for a child of the parent, 2 for a grandchild and so on; at most one more than the node before. */
  readonly depths: ArrayLike<number>
  /** Kind and level of the node, 0 to 255 each; the caller defines their meaning. */
  readonly kinds: ArrayLike<number>
  readonly levels: ArrayLike<number>
  /** 1 if the list contains every child of the node; 0 or absent if some can be missing. */
  readonly complete?: ArrayLike<number>
}

/**
 * Index in the list of each node's parent, -1 for a child of the common parent, which is at `parentDepth` in the tree.
 * Throws RangeError if the depths do not form a tree or exceed MAX_DEPTH.
 */
export function findParents({ keys, depths }: NodeList, parentDepth: number): Int32Array {
  const parents = new Int32Array(keys.length)
  const path = new Int32Array(MAX_DEPTH + 2).fill(-1)
  let before = 0
  for (let index = 0; index < keys.length; index += 1) {
    const depth = depths[index] ?? 0
    if (depth < 1 || depth > before + 1 || depth + parentDepth > MAX_DEPTH) {
      throw new RangeError(`depth ${depth} of node ${index} does not follow ${before}`)
    }
    parents[index] = path[depth - 1] ?? -1
    path[depth] = index
    before = depth
  }
  return parents
}
