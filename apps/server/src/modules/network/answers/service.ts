import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type * as api from '@isotherm/contract/endpoints/network/network'
import type { searchTree } from '@isotherm/contract/endpoints/network/tree'
import { type NodeKey, parseNodeKey, ROOT_KEY } from '@isotherm/contract/tree'
import { AppError } from '../../../platform/app-error.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import {
  covers,
  createVisibility,
  narrow,
  ROOT_PATH,
  type Scope,
  toDisjointPaths,
} from '../../../platform/scope/scope.ts'
import { readRevisions } from '../../../platform/signals/revisions.pg.ts'
import { findNamedNodes, findVisibleNodes } from '../nodes/named-nodes.pg.ts'
import { type NodeName, toNodeKey } from '../nodes/node-key.ts'
import { toNodeAbilities, type Viewer } from '../nodes/policy.ts'
import type { Searcher } from '../search/tree-search.ts'
import { createAnswerCache } from './answer-cache.ts'
import { createGroupCache, findGroup, sliceBranch } from './group-cache.ts'
import { toGroups } from './group-tree.ts'
import { listGroups, listProjectPaths, listProjects } from './groups.pg.ts'
import { createSubUserCache } from './sub-user-cache.ts'
import { listSubUsers, listSubUsersBelow } from './sub-users.pg.ts'
import { listSubdivisions } from './subdivisions.pg.ts'

/**
 * Reads the tree as the caller's scope shows it. An ancestor of the scope is shown by name only. `revision` is the
 * revision of the groups at the start of the call; it is read if missing.
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
   * Finds nodes and devices the scope covers by a text, best first, each with its path from the project down.
   * Ancestors outside the scope are in that path by name. Callers who may not list devices get none. Throws
   * request.too-many.
   */
  searchTree(
    searcher: Searcher,
    query: InputOf<typeof searchTree>,
    revision?: number,
  ): Promise<OutputOf<typeof searchTree>>
  /**
   * Returns disjoint paths of the subtrees that the keys name, reduced to the scope: an ancestor of the scope gives
   * the granted subtrees below it. An unknown address below the test-marked sub-user gives that sub-user, because the
   * tree shows the addresses of all sub-users below it. No keys, or the key of the root, give the whole scope (['/']
   * if that is everything). Throws node.not-found for an unknown key or one outside the scope.
   */
  resolveNodes(scope: Scope, keys: readonly NodeKey[]): Promise<readonly string[]>
  /** Returns the keys of the nodes at `paths`, omitting paths that no longer exist or that the scope does not show. */
  findKeys(scope: Scope, paths: readonly string[]): Promise<readonly NodeKey[]>
  /** Like resolveNodes, for each key separately; omits keys that are unknown, invalid or outside the scope. */
  findParts(scope: Scope, keys: readonly NodeKey[]): Promise<ReadonlyMap<NodeKey, readonly string[]>>
  /** Whether the scope shows any part of a company. */
  showsCompany(scope: Scope, companyId: number): Promise<boolean>
  /** Ids of the projects that the scope shows. */
  listProjectIds(scope: Scope): Promise<number[]>
}

/** Device queries that the groups need. */
export interface DevicesOfGroups {
  /** Number of devices the scope covers below each of the paths, by path. */
  readonly countDevices: (scope: Scope, paths: readonly string[]) => Promise<ReadonlyMap<string, number>>
  /** Ids of the station controllers by node, the oldest first, whatever the scope. */
  readonly listControllers: (nodeIds: readonly number[]) => Promise<ReadonlyMap<number, readonly number[]>>
}

export interface NetworkNeeds extends DevicesOfGroups {
  readonly db: Database
  readonly searchTree: NetworkService['searchTree']
}

/** Enough for 50,000 groups in opened branches; a large project has thousands of groups. */
const MAX_BRANCH_BYTES = 40_000_000
const GROUP_BYTES = 800

const wholeScope = (scope: Scope): readonly string[] =>
  scope.kind === 'all' ? [ROOT_PATH] : toDisjointPaths(scope.paths)

export function createNetworkService({
  db,
  searchTree,
  countDevices,
  listControllers,
}: NetworkNeeds): NetworkService {
  const readRevision = async (): Promise<number> => (await readRevisions(db)).groups

  const findGroups = createGroupCache({
    readRevision,
    async read(projectId) {
      const rows = await listGroups(db, projectId)
      return { rows, controllers: await listControllers(rows.map(({ id }) => id)) }
    },
  })

  const branches = createAnswerCache<OutputOf<typeof api.getDevGroups>>(MAX_BRANCH_BYTES)

  const findSubUsers = createSubUserCache({
    readRevision,
    read: (scope, query) => listSubUsers(db, scope, query),
    readBelow: (ids, limiter) => listSubUsersBelow(db, ids, limiter),
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
    const found = await findNamedNodes(db, names)
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
      for (const row of await findNamedNodes(db, names)) {
        const visible = narrow(scope, row.path)
        if (visible.length > 0) parts.set(toNodeKey(row), visible)
      }
      return parts
    },

    async showsCompany(scope, companyId) {
      if (scope.kind === 'all') return true
      const projects = await listProjectPaths(db, companyId)
      return projects.some((path) => narrow(scope, path).length > 0)
    },

    async findKeys(scope, paths) {
      const rows = await findVisibleNodes(db, scope, paths)
      const root = paths.includes(ROOT_PATH) ? [ROOT_KEY] : []
      return [...root, ...rows.map(toNodeKey)]
    },

    async listProjectIds(scope) {
      const { rows } = await listProjects(db, scope, undefined, { page: 1, size: 10_000 })
      return rows.map(({ id }) => id)
    },

    async listProjects(viewer, { pageNo, pageSize, projectName, queryGroupListStatus }, revision) {
      const { scope } = viewer
      const isSeen = createVisibility(scope)
      const { rows, total } = await listProjects(db, scope, projectName, { page: pageNo, size: pageSize })
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
      // Everything read after the revision is at least as new as the revision.
      const revision = revisionOfCall ?? (await readRevision())
      const groups = await findGroups(projectId, revision)
      const top = findGroup(groups, id)
      if (!top || narrow(scope, top.path).length === 0) throw new AppError('node.not-found')
      if (!isCounted && covers(scope, top.path)) {
        // The scope covers the whole branch, so the viewer's abilities are the same for every group in it.
        const key = `${id} ${toNodeAbilities(viewer, { path: top.path, kind: 'group' })}`
        const cached = branches.find(key, revision)
        if (cached) return cached
        const [, ...all] = sliceBranch(groups, id)
        const groupList = toGroups(all, id, { viewer, controllers: groups.controllers })
        return branches.store(key, revision, GROUP_BYTES * all.length, { groupList })
      }
      const [, ...below] = sliceBranch(groups, id)
      const isSeen = createVisibility(scope)
      const rows = below.filter(({ path }) => isSeen(path))
      const paths = rows.map(({ path }) => path)
      const counts = isCounted ? await countDevices(scope, paths) : undefined
      return { groupList: toGroups(rows, id, { viewer, counts, controllers: groups.controllers }) }
    },

    async listSubdivisions(viewer, query) {
      const { rows, total } = await listSubdivisions(db, viewer.scope, query)
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
