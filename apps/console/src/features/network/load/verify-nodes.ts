import type { Tree } from '@isotherm/tree/tree'
import { comesWithParent } from '../lists/node-parts.ts'
import type { TreeLoader } from './tree-loader.ts'

/**
 * Loads the lists that contain restored nodes, so that nodes that no longer exist are removed. Opens nothing. Each list is
 * fetched once; after a failure its nodes stay.
 */
export async function verifyNodes(
  tree: Tree,
  loader: Pick<TreeLoader, 'load'>,
  keys: readonly string[],
): Promise<void> {
  const fetched = new Set<string>()

  /** Key of the highest ancestor that is not completely loaded. */
  function findPart(key: string): string | undefined {
    const node = tree.find(key)
    if (node === undefined) return undefined
    const above = tree.chain(node).slice(0, -1)
    const part = above.find((each) => !tree.isComplete(each) && !comesWithParent(tree, each))
    return part === undefined ? undefined : tree.view(part).key
  }

  for (const key of keys) {
    for (let part = findPart(key); part !== undefined && !fetched.has(part); part = findPart(key)) {
      fetched.add(part)
      const node = tree.find(part)
      if (node !== undefined) await loader.load(node, { keepClosed: true, partial: true })
    }
  }
}
