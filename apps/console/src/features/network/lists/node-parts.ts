import type { NodeNumber, Tree } from '@isotherm/tree/tree'
import { isPlacedKey } from './node-keys.ts'
import { toNodeType } from './node-kinds.ts'

/** Whether a node's children come with those of the node above it: sub-users and addresses come with their area. */
export function comesWithParent(tree: Tree, node: NodeNumber): boolean {
  const { key, kind } = tree.view(node)
  const type = toNodeType(kind)
  return type === 'addr' || (type === 'user' && !isPlacedKey(key))
}

/** Whether some of a node's children are here and the others can be asked for at it. */
export const isPart = (tree: Tree, node: NodeNumber): boolean =>
  !tree.isComplete(node) && tree.sizeOf(node) > 1 && !comesWithParent(tree, node)
