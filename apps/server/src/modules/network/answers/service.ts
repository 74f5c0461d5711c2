import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type * as api from '@isotherm/contract/endpoints/network'
import type { searchTree } from '@isotherm/contract/endpoints/tree'
import { type NodeKey, parseNodeKey, ROOT_KEY } from '@isotherm/contract/tree'
import { AppError } from '../../../platform/app-error.ts'
import {
  covers,
  createSight,
  narrow,
  ROOT_PATH,
  type Scope,
  toDisjointPaths,
} from '../../../platform/scope/scope.ts'
import { toNodeKey } from '../nodes/node-key.ts'
import { toNodeAbilities, type Viewer } from '../nodes/policy.ts'
import type { Searcher } from '../search/tree-search.ts'
import { createKeptAnswers } from './answer-cache.ts'
import { createKeptGroups, findGroup, takeBranch } from './group-cache.ts'
import { toGroups } from './group-tree.ts'
import type { NetworkStore, NodeName } from './store.ts'
import { createKeptSubUsers } from './sub-user-cache.ts'

/**
 * The tree: what the caller's scope shows of it. A node that only leads into the scope is shown by name. `revision` is
 * that of the groups when the call began; it is read where it is not given.
 */
export interface NetworkService {
  listProjects(
    viewer: Viewer,
    query: InputOf<typeof api.queryProjectList>,
    revision?: number,
  ): Promise<OutputOf<typeof api.queryProjectList>>
  getGroups(
    viewer: Viewer,
    query: InputOf<typeof api.getDevGroups>,
    revision?: number,
  ): Promise<OutputOf<typeof api.getDevGroups>>
  listSubdivisions(
    viewer: Viewer,
    query: InputOf<typeof api.getSubdiv>,
  ): Promise<OutputOf<typeof api.getSubdiv>>
  listSubUsers(
    viewer: Viewer,
    query: InputOf<typeof api.getVauser>,
    revision?: number,
  ): Promise<OutputOf<typeof api.getVauser>>
  /**
   * Nodes and devices the scope covers that fit a text, best first (search-store.ts), each with the way down
   * to it; ancestors outside the scope are on that way by name, as the tree shows them. Devices only for whom
   * may list them. Throws request.too-many.
   */
  searchTree(
    searcher: Searcher,
    query: InputOf<typeof searchTree>,
    revision?: number,
  ): Promise<OutputOf<typeof searchTree>>
  /**
   * Disjoint paths of the subtrees the keys name, cut down to the scope: a node that only leads into the
   * scope stands for the granted subtrees below it. An address of the test-marked sub-user that is no node
   * stands for that sub-user: the tree shows the addresses of all below it. No keys at all, or the root's, mean the whole scope
   * (['/'] when that is everything). Throws node.not-found for an unknown or foreign key.
   */
  resolveNodes(scope: Scope, keys: readonly NodeKey[]): Promise<readonly string[]>
  /**
   * Keys of the nodes at `paths` that the scope shows, the root's for '/'. A path that is gone, or that the
   * scope does not show, is left out.
   */
  findKeys(scope: Scope, paths: readonly string[]): Promise<readonly NodeKey[]>
  /**
   * Of each key the disjoint paths it stands for within the scope, as resolveNodes has them; a key that is
   * unknown, foreign or no key is left out.
   */
  findParts(scope: Scope, keys: readonly NodeKey[]): Promise<ReadonlyMap<NodeKey, readonly string[]>>
  /** Whether the scope shows anything of a company. */
  showsCompany(scope: Scope, companyId: number): Promise<boolean>
  /** Ids of the projects the scope shows anything of. */
  listProjectIds(scope: Scope): Promise<number[]>
}

/** What the tree asks of the devices. */
export interface DevicesOfGroups {
  /** Devices the scope covers below each of the paths, by path. */
  readonly countDevices: (scope: Scope, paths: readonly string[]) => Promise<ReadonlyMap<string, number>>
  /** Ids of the controllers on each of the nodes that have any, whoever asks. */
  readonly listControllers: (nodeIds: readonly number[]) => Promise<ReadonlyMap<number, readonly number[]>>
}

export interface NetworkNeeds extends DevicesOfGroups {
  readonly store: NetworkStore
  readonly searchTree: NetworkService['searchTree']
}

/** 50,000 groups in branches that were opened; the whole of a large project has thousands. */
const KEPT_BRANCHES_BYTES = 40_000_000
const GROUP_BYTES = 800

const wholeScope = (scope: Scope): readonly string[] =>
  scope.kind === 'all' ? [ROOT_PATH] : toDisjointPaths(scope.paths)

export function createNetworkService({
  store,
  searchTree,
  countDevices,
  listControllers,
}: NetworkNeeds): NetworkService {
  const findGroups = createKeptGroups({
    readRevision: store.readRevision,
    async read(projectId) {
      const rows = await store.listGroups(projectId)
      return { rows, controllers: await listControllers(rows.map(({ id }) => id)) }
    },
  })

  const keptBranches = createKeptAnswers<OutputOf<typeof api.getDevGroups>>(KEPT_BRANCHES_BYTES)

  const findSubUsers = createKeptSubUsers({
    readRevision: store.readRevision,
    read: store.listSubUsers,
    readBelow: store.listSubUsersBelow,
  })

  async function resolveNodes(scope: Scope, keys: readonly NodeKey[]): Promise<readonly string[]> {
    const names: NodeName[] = []
    for (const key of new Set(keys)) {
      const name = parseNodeKey(key)
      if (name.kind === 'invalid') throw new AppError('node.not-found')
      if (name.kind === 'root') return wholeScope(scope)
      names.push(name)
    }
    if (names.length === 0) return wholeScope(scope)
    const found = await store.findNamed(names)
    const visible = found.map(({ path }) => narrow(scope, path))
    if (found.length < names.length || visible.some((parts) => parts.length === 0)) {
      throw new AppError('node.not-found')
    }
    return toDisjointPaths(visible.flat())
  }

  return {
    searchTree,
    resolveNodes,

    async findParts(scope, keys) {
      const parts = new Map<NodeKey, readonly string[]>()
      const names: NodeName[] = []
      for (const key of new Set(keys)) {
        const name = parseNodeKey(key)
        if (name.kind === 'root') parts.set(key, wholeScope(scope))
        else if (name.kind !== 'invalid') names.push(name)
      }
      for (const row of await store.findNamed(names)) {
        const visible = narrow(scope, row.path)
        if (visible.length > 0) parts.set(toNodeKey(row), visible)
      }
      return parts
    },

    async showsCompany(scope, companyId) {
      if (scope.kind === 'all') return true
      const projects = await store.listProjectPaths(companyId)
      return projects.some((path) => narrow(scope, path).length > 0)
    },

    async findKeys(scope, paths) {
      const rows = await store.findNodes(scope, paths)
      const root = paths.includes(ROOT_PATH) ? [ROOT_KEY] : []
      return [...root, ...rows.map(toNodeKey)]
    },

    async listProjectIds(scope) {
      const { rows } = await store.listProjects(scope, undefined, { page: 1, size: 10_000 })
      return rows.map(({ id }) => id)
    },

    async listProjects(viewer, { pageNo, pageSize, projectName, queryGroupListStatus }, revision) {
      const { scope } = viewer
      const isSeen = createSight(scope)
      const { rows, total } = await store.listProjects(scope, projectName, { page: pageNo, size: pageSize })
      const listGroupsOf = async (id: number) => {
        const { rows: all, controllers } = await findGroups(id, revision)
        const groups = all.filter(({ parentId, path }) => parentId === id && isSeen(path))
        return toGroups(groups, id, { viewer, controllers })
      }
      const list = []
      for (const row of rows) {
        list.push({
          id: row.id,
          projectName: row.name,
          groupList: queryGroupListStatus === 1 ? await listGroupsOf(row.id) : [],
          description: row.description,
          version: row.version,
          abilities: toNodeAbilities(viewer, row),
        })
      }
      return { list, total }
    },

    async getGroups(viewer, { projectId, id = projectId, devCountIsContainChildren }, revisionOfCall) {
      const { scope } = viewer
      const isCounted = devCountIsContainChildren === 1
      // What is read after the revision is at least as new.
      const revision = revisionOfCall ?? (await store.readRevision())
      const groups = await findGroups(projectId, revision)
      const top = findGroup(groups, id)
      if (!top || narrow(scope, top.path).length === 0) throw new AppError('node.not-found')
      if (!isCounted && covers(scope, top.path)) {
        // Of a branch that is granted whole, whoever may do something with one group may do it with all.
        const key = `${id} ${toNodeAbilities(viewer, { path: top.path, kind: 'group' })}`
        const known = keptBranches.find(key, revision)
        if (known) return known
        const [, ...all] = takeBranch(groups, id)
        const groupList = toGroups(all, id, { viewer, controllers: groups.controllers })
        return keptBranches.keep(key, revision, GROUP_BYTES * all.length, { groupList })
      }
      const [, ...below] = takeBranch(groups, id)
      const isSeen = createSight(scope)
      const rows = below.filter(({ path }) => isSeen(path))
      const paths = rows.map(({ path }) => path)
      const counts = isCounted ? await countDevices(scope, paths) : undefined
      return { groupList: toGroups(rows, id, { viewer, counts, controllers: groups.controllers }) }
    },

    async listSubdivisions(viewer, query) {
      const { rows, total } = await store.listSubdivisions(viewer.scope, query)
      const datalist = rows.map(({ nodeId, pids, stype, version, ...node }) => ({
        sid: String(nodeId),
        psids: pids,
        stype,
        version,
        abilities: toNodeAbilities(viewer, node),
      }))
      return { datalist, total }
    },

    listSubUsers: (viewer, query, revision) =>
      findSubUsers(viewer, { ...query, withAreas: query.isContainArea === 1 }, revision),
  }
}
