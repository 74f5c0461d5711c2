import type { Tree } from '@isotherm/tree/tree'
import { comesWithParent } from '../lists/node-parts.ts'
import type { TreeLoader } from './tree-loader.ts'

/**
 * Loads what is missing beside and above nodes that are in the tree from before: those that are there no more
 * leave it. Nothing opens. Each list is asked for once; one that fails leaves its nodes as they are.
 */
export async function verifyNodes(
  tree: Tree,
  loader: Pick<TreeLoader, 'load'>,
  keys: readonly string[],
): Promise<void> {
  const asked = new Set<string>()

  /** The highest node above one whose children are not all here. */
  function findPart(key: string): string | undefined {
    const node = tree.find(key)
    if (node === undefined) return undefined
    const above = tree.chain(node).slice(0, -1)
    const part = above.find((each) => !tree.isComplete(each) && !comesWithParent(tree, each))
    return part === undefined ? undefined : tree.view(part).key
  }

  for (const key of keys) {
    for (let part = findPart(key); part !== undefined && !asked.has(part); part = findPart(key)) {
      asked.add(part)
      const node = tree.find(part)
      if (node !== undefined) await loader.load(node, { keepClosed: true, partial: true })
    }
  }
}
