import type { Group, Project, Subdivision, Vauser } from '@isotherm/contract/endpoints/network/network'
import {
  getDevGroups,
  getSubdiv,
  getVauser,
  queryProjectList,
} from '@isotherm/contract/endpoints/network/network'
import { call } from '../../../shared/api/client.ts'
import { listAll } from '../../../shared/api/list-all.ts'

/** What the tree loads from the server. A chain: ids of nodes from the project down, joined by commas. */
export interface TreeSource {
  readonly listProjects: (page: number, size: number) => Promise<{ list: Project[]; total: number }>
  /** Groups of a project, nested, or those below one group of it. */
  readonly listGroups: (projectId: number, groupId?: number) => Promise<readonly Group[]>
  /** Sub-users with addresses whose ancestors begin with a chain of ids. */
  readonly listSubUsers: (chain: string) => Promise<readonly Vauser[]>
  readonly listSubdivisions: (chain: string) => Promise<readonly Subdivision[]>
}

/** The filter for entries whose ancestors begin with a chain of ids. */
const toChainFilter = (field: string, chain: string) => [
  { field, cond: 'regex' as const, vrex: `^${chain}(,|$)` },
]

/** Loads from the real server. The calls are quiet, because the tree shows failures itself. */
export const treeSource: TreeSource = {
  listProjects: (pageNo, pageSize) =>
    call(queryProjectList, { pageNo, pageSize, queryGroupListStatus: 0 }, { quiet: true }),
  listGroups: async (projectId, id) => {
    const ofGroup = id === undefined ? {} : { id }
    const { groupList } = await call(
      getDevGroups,
      { projectId, devCountIsContainChildren: 0, ...ofGroup },
      { quiet: true },
    )
    return groupList
  },
  listSubUsers: (chain) =>
    listAll(
      (limiter) => call(getVauser, { filter: toChainFilter('parentids', chain), limiter }, { quiet: true }),
      ({ uuid }) => uuid,
    ),
  listSubdivisions: (chain) =>
    listAll(
      (limiter) => call(getSubdiv, { filter: toChainFilter('psids', chain), limiter }, { quiet: true }),
      ({ sid }) => sid,
    ),
}
