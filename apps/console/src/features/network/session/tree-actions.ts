import { type NodeNumber, ROOT_NODE } from '@isotherm/tree/tree'
import { useTreeSelection } from '../../../shared/nodes/tree-selection.ts'
import { describeNode, toNestaddr, toSelected } from '../load/describe-node.ts'
import { loadFirst } from './first-load.ts'
import { useNetwork } from './network-store.ts'
import { getTreeSession, restoreSession, type TreeSession } from './tree-session.ts'

/** From this number of nodes on, the search is debounced: it takes about 60 ms for half a million nodes. */
const MANY_NODES = 50_000
const SEARCH_AFTER_MS = 120

/** Reports a failure to load the projects. Other failures are reported where they happen. */
function reportFailure(work: Promise<void>): void {
  const { fail } = getTreeSession()
  work.catch(fail)
}

/** The session for a user action. From now on the state of the tree is stored. */
function touchSession(): TreeSession {
  const session = getTreeSession()
  session.touch()
  return session
}

/** Loads the tree, if it is not loaded. The panel shows a failure of the projects until a retry. */
export function startTree(): Promise<void> {
  restoreSession()
  const session = getTreeSession()
  if (session.tree.isComplete(ROOT_NODE)) return Promise.resolve()
  return session.start(() => loadFirst(session))
}

export const openNode = (node: NodeNumber): void => reportFailure(touchSession().loader.open(node))

export const closeNode = (node: NodeNumber): void => touchSession().tree.expand(node, false)

export const openBelow = (node: NodeNumber): void => reportFailure(touchSession().loader.openAll(node))

export const closeBelow = (node: NodeNumber): void => touchSession().tree.expandAll(false, node)

/** Loads the missing children of a partly loaded node. */
export const loadRest = (node: NodeNumber): void => reportFailure(touchSession().loader.load(node))

export function chooseNode(node: NodeNumber): void {
  const { tree } = touchSession()
  useNetwork.setState({ currentKey: tree.view(node).key })
  useTreeSelection.setState({ current: toSelected(tree, node), gone: false })
}

export function checkNode(node: NodeNumber, on: boolean): void {
  const { tree, publisher } = touchSession()
  tree.check(node, on)
  publisher.restart()
}

/** Checks a node and nothing else. */
export function checkOnly(node: NodeNumber): void {
  const { tree, publisher } = touchSession()
  tree.batch(() => {
    tree.check(ROOT_NODE, false)
    tree.check(node, true)
  })
  publisher.restart()
}

export const uncheckAll = (): void => checkNode(ROOT_NODE, false)

/** Unchecks everything and removes the current node: pages show everything again, at once. */
export function clearSelection(): void {
  const { tree, publisher } = touchSession()
  tree.check(ROOT_NODE, false)
  useNetwork.setState({ currentKey: undefined })
  useTreeSelection.setState({ current: undefined })
  publisher.now()
}

/** Makes a node the only selection, at once, before a page is opened for it. */
export function selectOnly(node: NodeNumber): void {
  clearSelection()
  chooseNode(node)
}

/** Loads a node again, or with `parentUpdate` its parent (the refresh flag of the specification, section 4). */
export const refreshNode = (node: NodeNumber, parentUpdate = false): void =>
  reportFailure(touchSession().reloader.reload(node, parentUpdate))

/** Reloads the current node; without one, the whole tree. */
export function refreshCurrent(): void {
  const { tree } = getTreeSession()
  if (!tree.isComplete(ROOT_NODE)) return void startTree()
  const { currentKey } = useNetwork.getState()
  const node = currentKey === undefined ? undefined : tree.find(currentKey)
  refreshNode(node ?? ROOT_NODE)
}

/** Loads the children of these nodes again after a change by this user. */
export const noteChanged = (parents: readonly string[]): void => getTreeSession().note(parents)

let searching: ReturnType<typeof setTimeout> | undefined

/** Filters the loaded nodes by a keyword. */
export function setKeyword(keyword: string): void {
  const { tree } = getTreeSession()
  useNetwork.setState({ keyword })
  clearTimeout(searching)
  if (tree.count() < MANY_NODES || keyword === '') tree.search(keyword)
  else searching = setTimeout(() => tree.search(keyword), SEARCH_AFTER_MS)
}

/** Copies the address of a node to the clipboard. */
export async function copyAddress(node: NodeNumber): Promise<void> {
  await navigator.clipboard.writeText(toNestaddr(getTreeSession().tree, node) ?? '')
}

/** Copies all fields of a node as JSON to the clipboard, for fault analysis and integration. */
export async function copyFields(node: NodeNumber): Promise<void> {
  const { tree, loader } = getTreeSession()
  await navigator.clipboard.writeText(JSON.stringify(describeNode(tree, node, loader.stypes), null, 2))
}

/** Brings a row into view and focuses it. */
export const showRow = (key: string): void => useNetwork.setState({ target: { key } })

/** Clears the target after its row was brought into view. */
export const clearTarget = (): void => useNetwork.setState({ target: undefined })
