import { type NodeKey, ROOT_KEY, type TreeLevelName, treeLevels } from '@isotherm/contract/tree'

/** Loading stops here; 8 is the lowest level with a name (specification, section 4). */
export const LOADING_STOPS_AT = 10

/** One node of the tree (specification, section 3). */
export interface TreeNode {
  /** Names the row; unlike `node` it is unique even for the test sub-user, which stands below every area. */
  readonly key: string
  /** Key by which the server knows the node. */
  readonly node: NodeKey
  readonly label: string
  readonly level: number
  readonly parent: string | undefined
  /** Comma-joined ids of the ancestors from the project down; empty on a project and on the root. */
  readonly parentids: string
  /** Comma-joined names from the project down to the node; absent on the root. */
  readonly nestaddr: string | undefined
  readonly nodetype: 'root' | 'project' | 'group' | 'user' | 'addr'
  /** Number of the project the node belongs to; absent on the root. */
  readonly projectid: number | undefined
}

export const ROOT: TreeNode = {
  key: ROOT_KEY,
  node: ROOT_KEY,
  label: '',
  level: treeLevels.root,
  parent: undefined,
  parentids: '',
  nestaddr: undefined,
  nodetype: 'root',
  projectid: undefined,
}

const byLevel: Readonly<Record<number, TreeLevelName>> = Object.fromEntries(
  (Object.keys(treeLevels) as readonly TreeLevelName[]).map((name) => [treeLevels[name], name]),
)

/** Name of a level; an address below a sub-user has none of its own beyond 8. */
export const findLevelName = (level: number): TreeLevelName | undefined => byLevel[level]

/** Ids down to the node itself: what its children have as `parentids`. */
export const toChain = ({ parentids, node }: Pick<TreeNode, 'parentids' | 'node'>): string =>
  parentids === '' ? node : `${parentids},${node}`

export const joinNames = (above: string | undefined, label: string): string =>
  above === undefined ? label : `${above},${label}`
