import { treeLevels } from '@isotherm/contract/tree'
import { i18n } from '../../shared/i18n/i18n.ts'
import { useTreeSelection } from '../../shared/tree-selection.ts'
import { showNotice } from '../../shared/ui/notices.ts'
import { findSubUsers, loadGroups, loadProjects, loadSubUsers, toCompanyChain } from './load-children.ts'
import { useNetwork } from './network-store.ts'
import { computeCovering, listPublished, setChecked, toSelected } from './tree-checks.ts'
import { childrenOf, dropBelow, listBelow, putChildren, type TreeModel } from './tree-model.ts'
import { LOADING_STOPS_AT, ROOT, type TreeNode, toChain } from './tree-node.ts'
import { treeSource } from './tree-source.ts'

/** How long a warning of the tree stands, s; and the waits of the specification's section 9, ms. */
const WARNING_S = 1
const PUBLISH_AFTER_MS = 400
const COLLAPSE_AFTER_MS = 1_000
/** Stype of subdivisions that are collapsed after loading. */
const COLLAPSED_STYPE = 's'

type FailureText = 'groupsFailed' | 'addressesFailed' | 'subUsersFailed'

function warn(text: FailureText, error: unknown): void {
  console.error(error)
  showNotice('warning', i18n.t(text, { ns: 'network' }), WARNING_S)
}

let publishing: ReturnType<typeof setTimeout> | undefined

function publishSoon(): void {
  clearTimeout(publishing)
  publishing = setTimeout(() => {
    const { tree } = useNetwork.getState()
    const { checked } = useTreeSelection.getState()
    useTreeSelection.setState({
      published: listPublished(tree, checked),
      covering: computeCovering(tree, checked),
    })
  }, PUBLISH_AFTER_MS)
}

function expand(keys: readonly string[]): void {
  const { expanded } = useTreeSelection.getState()
  useTreeSelection.setState({ expanded: new Set([...expanded, ...keys]) })
}

export function collapseNodes(keys: readonly string[]): void {
  const gone = new Set(keys)
  const { expanded } = useTreeSelection.getState()
  useTreeSelection.setState({ expanded: new Set([...expanded].filter((key) => !gone.has(key))) })
}

/** The company's sub-users are asked for when it is opened; subdivisions of type s close a second later. */
async function prepareCompany(node: TreeNode): Promise<void> {
  const { subUsers } = useNetwork.getState()
  try {
    await findSubUsers(treeSource, subUsers, node)
    const subdivisions = await treeSource.listSubdivisions(toChain(node))
    const keys = subdivisions.filter(({ stype }) => stype === COLLAPSED_STYPE).map(({ sid }) => sid)
    if (keys.length > 0) setTimeout(() => collapseNodes(keys), COLLAPSE_AFTER_MS)
  } catch (error) {
    warn('addressesFailed', error)
  }
}

async function fetchChildren(node: TreeNode): Promise<readonly TreeNode[] | undefined> {
  const { subUsers } = useNetwork.getState()
  if (node.nodetype === 'project') {
    return loadGroups(treeSource, node).catch((error: unknown) => {
      warn('groupsFailed', error)
      return undefined
    })
  }
  if (node.nodetype !== 'group' || node.level >= LOADING_STOPS_AT) return []
  return loadSubUsers(treeSource, subUsers, node).catch((error: unknown) => {
    warn('subUsersFailed', error)
    return undefined
  })
}

/** New children of a checked parent are checked and opened, unless some below it were chosen before. */
function adoptChildren(parent: TreeNode, nodes: readonly TreeNode[]): void {
  const { checked } = useTreeSelection.getState()
  if (!checked.has(parent.key) || nodes.some((node) => checked.has(node.key))) return
  useTreeSelection.setState({ checked: new Set([...checked, ...nodes.map((node) => node.key)]) })
  for (const node of nodes) if (node.parent === parent.key) void openNode(node.key)
}

function setLoading(key: string, on: boolean): void {
  const loading = new Set(useNetwork.getState().loading)
  if (on) loading.add(key)
  else loading.delete(key)
  useNetwork.setState({ loading })
}

async function loadBelow(node: TreeNode): Promise<void> {
  const { loading, subUsers } = useNetwork.getState()
  if (loading.has(node.key)) return
  setLoading(node.key, true)
  try {
    const nodes = node.key === ROOT.key ? await loadProjects(treeSource) : await fetchChildren(node)
    if (!nodes || useNetwork.getState().subUsers !== subUsers) return
    useNetwork.setState(({ tree }) => ({ tree: putChildren(tree, node.key, nodes), failure: undefined }))
    adoptChildren(node, nodes)
    publishSoon()
  } finally {
    setLoading(node.key, false)
  }
}

/** Opens a node, loading what is below it when nobody has yet. */
export async function openNode(key: string): Promise<void> {
  const { tree } = useNetwork.getState()
  const node = tree.nodes.get(key)
  if (!node) return
  expand([key])
  if (node.level === treeLevels.company) void prepareCompany(node)
  if (!tree.childrenOf.has(key)) await loadBelow(node)
}

/** Loads the projects, and opens nodes from the top as long as there is only one to choose from. */
export async function startTree(): Promise<void> {
  if (useNetwork.getState().tree.childrenOf.has(ROOT.key)) return
  useNetwork.setState({ failure: undefined })
  let key: string | undefined = ROOT.key
  try {
    while (key !== undefined) {
      await openNode(key)
      const children = childrenOf(useNetwork.getState().tree, key)
      key = children.length === 1 ? children[0] : undefined
    }
  } catch (failure) {
    console.error(failure)
    useNetwork.setState({ failure })
  }
}

export function chooseNode(node: TreeNode): void {
  useTreeSelection.setState({ current: toSelected(node) })
}

export function checkNode(key: string, on: boolean): void {
  const { tree } = useNetwork.getState()
  const { checked } = useTreeSelection.getState()
  useTreeSelection.setState({ checked: setChecked(tree, checked, key, on) })
  publishSoon()
}

/** Unchecks everything and makes no node current: pages show all again. */
export function clearSelection(): void {
  useTreeSelection.setState({ current: undefined, checked: new Set(), published: [], covering: [] })
}

/**
 * The node to load again for the sake of `node`: groups come with their whole project and addresses with
 * their area, so that is where the loading starts.
 */
function findReloadStart(tree: TreeModel, node: TreeNode): TreeNode {
  const hasGroups = childrenOf(tree, node.key).some((child) => tree.nodes.get(child)?.nodetype === 'group')
  const isPart = node.nodetype === 'user' || node.nodetype === 'addr'
  if (!isPart && !(node.nodetype === 'group' && hasGroups)) return node
  const parent = node.parent === undefined ? undefined : tree.nodes.get(node.parent)
  return parent ? findReloadStart(tree, parent) : ROOT
}

/** Loads again what is below a node, keeping what is checked and expanded there. */
export async function reloadNode(key: string): Promise<void> {
  const { tree, subUsers } = useNetwork.getState()
  const asked = tree.nodes.get(key)
  if (!asked) return
  const node = findReloadStart(tree, asked)
  if (node.nodetype === 'group') subUsers.delete(toCompanyChain(node))
  else subUsers.clear()
  const wasOpen = useTreeSelection.getState().expanded
  const opened = [node.key, ...listBelow(tree, node.key)].filter((below) => wasOpen.has(below))
  useNetwork.setState({ tree: dropBelow(tree, node.key) })
  for (const below of opened) await openNode(below)
}
