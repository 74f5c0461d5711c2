import type { TreeStep } from '@isotherm/contract/endpoints/tree'
import { ROOT_NODE, type Tree } from '@isotherm/tree/tree'
import { createListBuilder } from '../lists/list-builder.ts'
import { toPlacedKey } from '../lists/node-keys.ts'

const UUID_LENGTH = 36

/**
 * Puts the nodes from the project down to a hit into the tree, none of them complete: nothing beside them is
 * loaded. Gives the key of the hit's row. Where the test-marked sub-user stands below its area already, that
 * row is meant.
 */
export function putHit(tree: Tree, chain: readonly TreeStep[]): string | undefined {
  const builder = createListBuilder()
  let key: string | undefined
  let user: string | undefined
  for (const [index, { node, label, level, nodetype }] of chain.entries()) {
    const above: string | undefined = key
    if (nodetype === 'user') {
      const placed = above === undefined ? undefined : toPlacedKey(node, above)
      user = placed !== undefined && tree.find(placed) !== undefined ? placed : node
      key = user
    } else if (nodetype === 'addr' && user !== undefined) key = `${user}${node.slice(UUID_LENGTH)}`
    else key = node
    builder.add({ key, label, depth: index + 1, level, type: nodetype, complete: false })
  }
  tree.batch(() => {
    tree.put(ROOT_NODE, builder.list, false)
    const node = key === undefined ? undefined : tree.find(key)
    if (node !== undefined) for (const above of tree.chain(node).slice(0, -1)) tree.expand(above, true)
  })
  return key
}
