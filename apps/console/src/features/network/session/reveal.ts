import { getNodeHealth, type TreeHit, type TreeStep } from '@isotherm/contract/endpoints/network/tree'
import { call } from '../../../shared/api/client.ts'
import { i18n } from '../../../shared/i18n/i18n.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { putHit } from './put-hit.ts'
import { chooseNode, selectOnly, setKeyword, showRow } from './tree-actions.ts'
import { getTreeSession } from './tree-session.ts'

/**
 * Shows a search hit in the tree with its ancestors, without loading siblings. Ends the search, makes the node current,
 * brings its row into view and focuses it.
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

/** Like revealHit, for an older hit: warns if the node no longer exists. */
export async function revealNode(hit: TreeHit): Promise<void> {
  const { tree } = getTreeSession()
  const key = hit.chain.at(-1)?.node
  if (key === undefined) return
  const { datalist } = await call(getNodeHealth, { nodes: [key] }, { quiet: true })
  if (getTreeSession().tree !== tree) return
  if (datalist.length > 0) return revealHit(hit)
  showNotice('warning', i18n.t('nodeGone', { ns: 'network', name: hit.nestaddr }))
}

/** Makes a node the only selection and brings its row into view, if the tree is visible. */
export function selectFound(chain: readonly TreeStep[]): void {
  const { tree } = getTreeSession()
  const key = putHit(tree, chain)
  const node = key === undefined ? undefined : tree.find(key)
  if (key === undefined || node === undefined) return
  selectOnly(node)
  showRow(key)
}
