import type { NodeNumber, Tree } from '@isotherm/tree/tree'
import { isPlacedKey } from './node-keys.ts'
import { toNodeType } from './node-kinds.ts'

/** True if the children of a node are loaded together with those of its parent: sub-users and addresses are loaded with their area. */
export function comesWithParent(tree: Tree, node: NodeNumber): boolean {
  const { key, kind } = tree.view(node)
  const type = toNodeType(kind)
  return type === 'addr' || (type === 'user' && !isPlacedKey(key))
}

/** True if only some children of a node are loaded, and the others can be loaded at this node. */
export const isPart = (tree: Tree, node: NodeNumber): boolean =>
  !tree.isComplete(node) && tree.sizeOf(node) > 1 && !comesWithParent(tree, node)
