import type { TreeHit } from '@isotherm/contract/endpoints/tree'
import { putHit } from './put-hit.ts'
import { chooseNode, setKeyword, showRow } from './tree-actions.ts'
import { getTreeSession } from './tree-session.ts'

/**
 * Shows a node that the search of the server found: with its ancestors, but without loading what is beside it;
 * makes it the current one, ends the search, brings its row into view and focuses it.
 */
export const revealNode = async (hit: TreeHit): Promise<void> => {
  const { tree } = getTreeSession()
  const key = putHit(tree, hit)
  const node = key === undefined ? undefined : tree.find(key)
  if (key === undefined || node === undefined) return
  setKeyword('')
  chooseNode(node)
  showRow(key)
}
