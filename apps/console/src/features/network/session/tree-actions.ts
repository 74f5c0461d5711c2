import { type NodeNumber, ROOT_NODE } from '@isotherm/tree/tree'
import { useTreeSelection } from '../../../shared/tree-selection.ts'
import { describeNode, toNestaddr, toSelected } from '../load/describe-node.ts'
import { openFirst, type StartEnd } from '../load/tree-start.ts'
import { useNetwork } from './network-store.ts'
import { getTreeSession, recallSession, type TreeSession } from './tree-session.ts'

/** Nodes from which on a search waits for the next key: it takes some 60 ms in half a million. */
const MANY_NODES = 50_000
const SEARCH_AFTER_MS = 120

/** Failures other than the projects' are told where they happen. */
function told(work: Promise<void>): void {
  const { fail } = getTreeSession()
  work.catch(fail)
}

/** What works on the tree, for something the user does to it himself: the tree is kept from here on. */
function takeInHand(): TreeSession {
  const session = getTreeSession()
  session.touch()
  return session
}

/** Loads what stood open, and what the checks and the current node hang on: what is gone must not stay chosen. */
async function loadRecalled({ tree, loader, reloader, publisher }: TreeSession): Promise<StartEnd> {
  publisher.hold()
  try {
    await loader.load(ROOT_NODE, { keepClosed: true, partial: true })
    const { currentKey } = useNetwork.getState()
    const keys = tree.covering().map((node) => tree.view(node).key)
    await reloader.verify(currentKey === undefined ? keys : [...keys, currentKey])
  } finally {
    publisher.release()
  }
  return 'whole'
}

/** Loads the tree unless it is there. A failure of the projects stands in the panel until it is tried again. */
export function startTree(): Promise<void> {
  recallSession()
  const session = getTreeSession()
  const { tree, loader } = session
  if (tree.isComplete(ROOT_NODE)) return Promise.resolve()
  return session.start(() => (tree.count() > 1 ? loadRecalled(session) : openFirst(tree, loader)))
}

export const openNode = (node: NodeNumber): void => told(takeInHand().loader.open(node))

export const closeNode = (node: NodeNumber): void => takeInHand().tree.expand(node, false)

export const openBelow = (node: NodeNumber): void => told(takeInHand().loader.openAll(node))

export const closeBelow = (node: NodeNumber): void => takeInHand().tree.expandAll(false, node)

/** Loads what is still missing below a node of which a part is here. */
export const loadRest = (node: NodeNumber): void => told(takeInHand().loader.load(node))

export function chooseNode(node: NodeNumber): void {
  const { tree } = takeInHand()
  useNetwork.setState({ currentKey: tree.view(node).key })
  useTreeSelection.setState({ current: toSelected(tree, node), gone: false })
}

export function checkNode(node: NodeNumber, on: boolean): void {
  const { tree, publisher } = takeInHand()
  tree.check(node, on)
  publisher.restart()
}

/** Checks a node and nothing else. */
export function checkOnly(node: NodeNumber): void {
  const { tree, publisher } = takeInHand()
  tree.batch(() => {
    tree.check(ROOT_NODE, false)
    tree.check(node, true)
  })
  publisher.restart()
}

export const uncheckAll = (): void => checkNode(ROOT_NODE, false)

/** Unchecks everything and makes no node current: pages show all again, at once. */
export function clearSelection(): void {
  const { tree, publisher } = takeInHand()
  tree.check(ROOT_NODE, false)
  useNetwork.setState({ currentKey: undefined })
  useTreeSelection.setState({ current: undefined })
  publisher.now()
}

/** Makes a node the only selection, at once: a page is about to be opened for it. */
export function selectOnly(node: NodeNumber): void {
  clearSelection()
  chooseNode(node)
}

/** Loads a node again, or with `parentUpdate` its parent (the refresh flag of the specification, section 4). */
export const refreshNode = (node: NodeNumber, parentUpdate = false): void =>
  told(takeInHand().reloader.reload(node, parentUpdate))

/** Loads the current node again; without one the whole tree, which may not have come yet. */
export function refreshCurrent(): void {
  const { tree } = getTreeSession()
  if (!tree.isComplete(ROOT_NODE)) return void startTree()
  const { currentKey } = useNetwork.getState()
  const node = currentKey === undefined ? undefined : tree.find(currentKey)
  refreshNode(node ?? ROOT_NODE)
}

let searching: ReturnType<typeof setTimeout> | undefined

/** Filters the loaded nodes by what stands in the search box. */
export function setKeyword(keyword: string): void {
  const { tree } = getTreeSession()
  useNetwork.setState({ keyword })
  clearTimeout(searching)
  if (tree.count() < MANY_NODES || keyword === '') tree.search(keyword)
  else searching = setTimeout(() => tree.search(keyword), SEARCH_AFTER_MS)
}

/** Puts the names down to a node into the clipboard. */
export async function copyAddress(node: NodeNumber): Promise<void> {
  await navigator.clipboard.writeText(toNestaddr(getTreeSession().tree, node) ?? '')
}

/** Puts all fields of a node into the clipboard as JSON, for who looks into a fault or connects another system. */
export async function copyFields(node: NodeNumber): Promise<void> {
  const { tree, loader } = getTreeSession()
  await navigator.clipboard.writeText(JSON.stringify(describeNode(tree, node, loader.stypes), null, 2))
}

/** Brings a row into view and focuses it. */
export const showRow = (key: string): void => useNetwork.setState({ target: { key } })

/** The row stands in view: it is not brought there again when the tree is shown anew. */
export const noteTargetShown = (): void => useNetwork.setState({ target: undefined })
