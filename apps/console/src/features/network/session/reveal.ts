import { getNodeHealth, type TreeHit, type TreeStep } from '@isotherm/contract/endpoints/tree'
import { call } from '../../../shared/api/client.ts'
import { i18n } from '../../../shared/i18n/i18n.ts'
import { showNotice } from '../../../shared/ui/notices.ts'
import { putHit } from './put-hit.ts'
import { chooseNode, selectOnly, setKeyword, showRow } from './tree-actions.ts'
import { getTreeSession } from './tree-session.ts'

/**
 * Shows a node that the search of the server has just found: with its ancestors, but without loading what is
 * beside it; makes it the current one, ends the search, brings its row into view and focuses it.
 */
export function revealHit(hit: TreeHit): void {
  const { tree } = getTreeSession()
  const key = putHit(tree, hit.chain)
  const node = key === undefined ? undefined : tree.find(key)
  if (key === undefined || node === undefined) return
  setKeyword('')
  chooseNode(node)
  showRow(key)
}

/** As revealHit, for a node that was found at an earlier time: one that is there no more is said to be gone. */
export async function revealNode(hit: TreeHit): Promise<void> {
  const { tree } = getTreeSession()
  const sought = hit.chain.at(-1)?.node
  if (sought === undefined) return
  const { datalist } = await call(getNodeHealth, { nodes: [sought] }, { quiet: true })
  if (getTreeSession().tree !== tree) return
  if (datalist.length > 0) return revealHit(hit)
  showNotice('warning', i18n.t('nodeGone', { ns: 'network', name: hit.nestaddr }))
}

/** Makes a node that a page shows the only selection, and brings its row into view where the tree is on show. */
export function selectFound(chain: readonly TreeStep[]): void {
  const { tree } = getTreeSession()
  const key = putHit(tree, chain)
  const node = key === undefined ? undefined : tree.find(key)
  if (key === undefined || node === undefined) return
  selectOnly(node)
  showRow(key)
}
