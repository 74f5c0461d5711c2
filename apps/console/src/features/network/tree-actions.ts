import { type NodeNumber, ROOT_NODE, type Tree } from '@isotherm/tree/tree'
import { useTreeSelection } from '../../shared/tree-selection.ts'
import { toNestaddr, toSelected } from './describe-node.ts'
import { useNetwork } from './network-store.ts'
import { getTreeSession, recallSession, warnOf } from './tree-session.ts'

/** Nodes from which on a search waits for the next key: it takes some 60 ms in half a million. */
const MANY_NODES = 50_000
const SEARCH_AFTER_MS = 120

/** Failures other than the projects' are told where they happen; what is left is told as the groups'. */
const told = (work: Promise<void>): void => void work.catch((error: unknown) => warnOf('groupsFailed', error))

/** The start that is under way, and whose tree it fills. */
let starting: { readonly tree: Tree; readonly done: Promise<void> } | undefined

/** Loads the projects, and opens nodes from the top as long as there is only one to choose from. */
async function start(): Promise<void> {
  recallSession()
  const { tree, loader, settle } = getTreeSession()
  const isRestored = tree.count() > 1
  await loader.load(ROOT_NODE, { keepClosed: isRestored, partial: isRestored })
  if (isRestored) return settle()
  for (let node: NodeNumber | undefined = ROOT_NODE; node !== undefined; ) {
    await loader.open(node)
    const children: readonly NodeNumber[] = tree.children(node)
    node = children.length === 1 ? children[0] : undefined
  }
  settle()
}

/** Loads the tree unless it is there. A failure of the projects stands in the panel until it is tried again. */
export function startTree(): Promise<void> {
  const { tree } = getTreeSession()
  if (tree.isComplete(ROOT_NODE)) return Promise.resolve()
  if (starting?.tree === tree) return starting.done
  const isOurs = () => useTreeSelection.getState().tree === tree
  const done = start()
    .then(() => {
      if (isOurs()) useNetwork.setState({ failure: undefined })
    })
    .catch((failure: unknown) => {
      console.error(failure)
      if (isOurs()) useNetwork.setState({ failure })
    })
    .finally(() => {
      if (starting?.tree === tree) starting = undefined
    })
  starting = { tree, done }
  return done
}

export const openNode = (node: NodeNumber): void => told(getTreeSession().loader.open(node))

export const closeNode = (node: NodeNumber): void => getTreeSession().tree.expand(node, false)

export const openBelow = (node: NodeNumber): void => told(getTreeSession().loader.openAll(node))

export const closeBelow = (node: NodeNumber): void => getTreeSession().tree.expandAll(false, node)

/** Loads what is still missing below a node of which a part is here. */
export const loadRest = (node: NodeNumber): void => told(getTreeSession().loader.load(node))

export function chooseNode(node: NodeNumber): void {
  const { tree } = getTreeSession()
  useNetwork.setState({ currentKey: tree.view(node).key })
  useTreeSelection.setState({ current: toSelected(tree, node) })
}

export function checkNode(node: NodeNumber, on: boolean): void {
  const { tree, publisher } = getTreeSession()
  tree.check(node, on)
  publisher.restart()
}

/** Checks a node and nothing else. */
export function checkOnly(node: NodeNumber): void {
  const { tree, publisher } = getTreeSession()
  tree.batch(() => {
    tree.check(ROOT_NODE, false)
    tree.check(node, true)
  })
  publisher.restart()
}

export const uncheckAll = (): void => checkNode(ROOT_NODE, false)

/** Unchecks everything and makes no node current: pages show all again, at once. */
export function clearSelection(): void {
  const { tree, publisher } = getTreeSession()
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

export const reloadNode = (node: NodeNumber): void => told(getTreeSession().reloader.reload(node))

/**
 * Loads the current node again, or with `parentUpdate` its parent; without a current node the whole tree
 * (specification, section 4). For pages that change the network.
 * @public
 */
export async function refreshTree({ parentUpdate = false } = {}): Promise<void> {
  const { tree, reloader } = getTreeSession()
  const { currentKey } = useNetwork.getState()
  const node = currentKey === undefined ? undefined : tree.find(currentKey)
  await reloader.reload(node ?? ROOT_NODE, parentUpdate)
}

/** As refreshTree; a failure is told. */
export const refreshCurrent = (): void => told(refreshTree())

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

/** Brings a row into view and focuses it. */
export const showRow = (key: string): void => useNetwork.setState({ target: { key } })
