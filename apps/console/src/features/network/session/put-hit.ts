import type { TreeStep } from '@isotherm/contract/endpoints/network/tree'
import { ROOT_NODE, type Tree } from '@isotherm/tree/tree'
import { createListBuilder } from '../lists/list-builder.ts'
import { toPlacedKey } from '../lists/node-keys.ts'

const UUID_LENGTH = 36

/**
 * Adds the nodes from the project down to a search hit to the tree, as incomplete nodes: their siblings are not loaded.
 * Returns the row key of the hit. For the test-marked sub-user it is the row below the area, if that exists.
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
