import type { Group, Project, Subdivision, Vauser } from '@isotherm/contract/endpoints/network'
import { treeLevels } from '@isotherm/contract/tree'
import { toGroupNodes, toProjectNode, toSubUserNodes } from './build-nodes.ts'
import { type TreeNode, toChain } from './tree-node.ts'

/** Projects come in pages of this size until their total is reached (specification, section 4). */
const PROJECT_PAGE = 20

/** The calls the tree makes. */
export interface TreeSource {
  readonly listProjects: (page: number, size: number) => Promise<{ list: Project[]; total: number }>
  readonly listGroups: (projectId: number) => Promise<readonly Group[]>
  /** Sub-users with addresses whose ancestors begin with a chain of ids. */
  readonly listSubUsers: (chain: string) => Promise<readonly Vauser[]>
  readonly listSubdivisions: (chain: string) => Promise<readonly Subdivision[]>
}

/** Sub-user lists by the chain of the level-2 node they were loaded for: once each. */
export type SubUserCache = Map<string, Promise<readonly Vauser[]>>

export async function loadProjects(source: TreeSource): Promise<readonly TreeNode[]> {
  const projects = new Map<number, Project>()
  for (let page = 1; ; page += 1) {
    const { list, total } = await source.listProjects(page, PROJECT_PAGE)
    for (const project of list) projects.set(project.id, project)
    if (list.length === 0 || page * PROJECT_PAGE >= total) return [...projects.values()].map(toProjectNode)
  }
}

export async function loadGroups(source: TreeSource, project: TreeNode): Promise<readonly TreeNode[]> {
  if (project.projectid === undefined) return []
  return toGroupNodes(project, await source.listGroups(project.projectid))
}

/** Chain of the company (level 2) above or at a node: what its sub-users were loaded for. */
export const toCompanyChain = (node: TreeNode): string =>
  toChain(node).split(',').slice(0, treeLevels.company).join(',')

/** The company's sub-users, loaded once however often they are asked for; a failure may be tried again. */
export function findSubUsers(
  source: TreeSource,
  cache: SubUserCache,
  node: TreeNode,
): Promise<readonly Vauser[]> {
  const chain = toCompanyChain(node)
  const known = cache.get(chain)
  if (known) return known
  const loading = source.listSubUsers(chain)
  cache.set(chain, loading)
  loading.catch(() => cache.delete(chain))
  return loading
}

/** The sub-users of one residential area, with the address levels below them. */
export async function loadSubUsers(
  source: TreeSource,
  cache: SubUserCache,
  node: TreeNode,
): Promise<readonly TreeNode[]> {
  return toSubUserNodes(node, await findSubUsers(source, cache, node))
}
