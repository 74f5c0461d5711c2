import type { NodeKey, TreeLevelName } from '@isotherm/contract/tree'
import { parseNodeKey, ROOT_KEY, treeLevels } from '@isotherm/contract/tree'
import { NO_NODE, type NodeNumber, ROOT_NODE, type Tree } from '@isotherm/tree/tree'
import { findLevelName } from '../../../shared/nodes/level-name.ts'
import type { SelectedNode } from '../../../shared/nodes/tree-selection.ts'
import { toServerKey } from '../lists/node-keys.ts'
import { type TreeNodeType, toNodeType } from '../lists/node-kinds.ts'

/** All fields of a tree node (specification, section 3), derived from the model for one node. */
export interface TreeNode {
  readonly id: NodeKey
  /** Id of the parent; absent on the root. */
  readonly pid: NodeKey | undefined
  readonly parentid: NodeKey | undefined
  readonly label: string
  /** Key of its level label; `address` (级联地址) for an address. */
  readonly dec: TreeLevelName | 'address'
  /** Comma-joined ids of the ancestors from the project down; empty on a project and on the root. */
  readonly parentids: string
  /** Number of the project the node belongs to; absent on the root. */
  readonly projectid: number | undefined
  /** Comma-joined names from the project down to the node; absent on the root. */
  readonly nestaddr: string | undefined
  readonly level: number
  readonly nodetype: TreeNodeType
  /** Ids of the loaded children, in order. */
  readonly childrens: readonly NodeKey[]
  /** For an address: its parts down to this one. */
  readonly address: string | undefined
  /** For a sub-user or address: uuid and parentids of the sub-user, and its loaded addresses. */
  readonly user: string | undefined
  readonly userpids: string | undefined
  readonly addrlist: readonly string[] | undefined
  /** For a subdivision: its type, after its company was opened. */
  readonly stype: string | undefined
  /** For an address: the nestaddr of sub-user and address, as in the registry of devices. */
  readonly userdevaddr: string | undefined
}

const keyOf = (tree: Tree, node: NodeNumber): NodeKey => toServerKey(tree.view(node).key)

/** From the project down to the node itself. */
const chainOf = (tree: Tree, node: NodeNumber): readonly NodeNumber[] => tree.chain(node).slice(1)

/** Ids from the project down to the node: what its children have as `parentids`. */
export const toChain = (tree: Tree, node: NodeNumber): string =>
  chainOf(tree, node)
    .map((each) => keyOf(tree, each))
    .join(',')

/** Names from the project down to the node, joined by commas; absent on the root. */
export function toNestaddr(tree: Tree, node: NodeNumber): string | undefined {
  if (node === ROOT_NODE) return undefined
  return chainOf(tree, node)
    .map((each) => tree.view(each).label)
    .join(',')
}

/** Ids down to the company (level 2) of a node: the key of its list of sub-users. */
export const toCompanyChain = (tree: Tree, node: NodeNumber): string =>
  chainOf(tree, node)
    .filter((each) => tree.view(each).level <= treeLevels.company)
    .map((each) => keyOf(tree, each))
    .join(',')

/** Number of the project above or at a node. */
export function findProjectId(tree: Tree, node: NodeNumber): number | undefined {
  const project = chainOf(tree, node)[0]
  if (project === undefined) return undefined
  const parsed = parseNodeKey(keyOf(tree, project))
  return parsed.kind === 'group' ? parsed.id : undefined
}

function listAddresses(tree: Tree, node: NodeNumber): readonly string[] {
  return tree.children(node).flatMap((child) => {
    const below = listAddresses(tree, child)
    const parsed = parseNodeKey(keyOf(tree, child))
    return below.length > 0 || parsed.kind !== 'address' ? below : [parsed.address]
  })
}

function describeUser(tree: Tree, node: NodeNumber) {
  const user = tree.chain(node).find((each) => toNodeType(tree.view(each).kind) === 'user')
  if (user === undefined) return { user: undefined, userpids: undefined, addrlist: undefined }
  const { parent } = tree.view(user)
  return { user: keyOf(tree, user), userpids: toChain(tree, parent), addrlist: listAddresses(tree, user) }
}

const noTypes: ReadonlyMap<string, string> = new Map()

/** Describes one node. `stypes`: types of the subdivisions by id, from the loader. */
export function describeNode(tree: Tree, node: NodeNumber, stypes = noTypes): TreeNode {
  const { label, level, kind, parent } = tree.view(node)
  const id = keyOf(tree, node)
  const pid = parent === NO_NODE ? undefined : keyOf(tree, parent)
  const nodetype = toNodeType(kind)
  const parsed = parseNodeKey(id)
  const nestaddr = toNestaddr(tree, node)
  return {
    id,
    pid,
    parentid: pid,
    label,
    dec: nodetype === 'addr' ? 'address' : (findLevelName(level) ?? 'address'),
    parentids: parent === NO_NODE ? '' : toChain(tree, parent),
    projectid: findProjectId(tree, node),
    nestaddr,
    level,
    nodetype,
    childrens: tree.children(node).map((child) => keyOf(tree, child)),
    address: parsed.kind === 'address' ? parsed.address : undefined,
    ...describeUser(tree, node),
    stype: stypes.get(id),
    userdevaddr: nodetype === 'addr' ? nestaddr : undefined,
  }
}

/** The fields of a node that other features use. */
export function toSelected(tree: Tree, node: NodeNumber): SelectedNode {
  const { key, label, level } = tree.view(node)
  return {
    key: key === ROOT_KEY ? ROOT_KEY : toServerKey(key),
    label,
    level,
    nestaddr: toNestaddr(tree, node),
  }
}
