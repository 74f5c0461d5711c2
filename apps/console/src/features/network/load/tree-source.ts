import type { Group, Project, Subdivision, Vauser } from '@isotherm/contract/endpoints/network/network'
import {
  getDevGroups,
  getSubdiv,
  getVauser,
  queryProjectList,
} from '@isotherm/contract/endpoints/network/network'
import { call } from '../../../shared/api/client.ts'
import { listAll } from '../../../shared/api/list-all.ts'

/** The server calls of the tree. */
export interface TreeSource {
  readonly listProjects: (page: number, size: number) => Promise<{ list: Project[]; total: number }>
  /** Groups of a project, nested, or those below one group of it. */
  readonly listGroups: (projectId: number, groupId?: number) => Promise<readonly Group[]>
  /** Sub-users with addresses whose ancestors begin with a chain of ids. */
  readonly listSubUsers: (chain: string) => Promise<readonly Vauser[]>
  readonly listSubdivisions: (chain: string) => Promise<readonly Subdivision[]>
}

/** The filter for entries whose ancestors begin with a chain of ids. */
const below = (field: string, chain: string) => [{ field, cond: 'regex' as const, vrex: `^${chain}(,|$)` }]

/** The server calls of the tree. They are quiet, because the tree shows failures itself. */
export const treeSource: TreeSource = {
  listProjects: (pageNo, pageSize) =>
    call(queryProjectList, { pageNo, pageSize, queryGroupListStatus: 0 }, { quiet: true }),
  listGroups: async (projectId, id) => {
    const below = id === undefined ? {} : { id }
    const { groupList } = await call(
      getDevGroups,
      { projectId, devCountIsContainChildren: 0, ...below },
      { quiet: true },
    )
    return groupList
  },
  listSubUsers: (chain) =>
    listAll(
      (limiter) => call(getVauser, { filter: below('parentids', chain), limiter }, { quiet: true }),
      ({ uuid }) => uuid,
    ),
  listSubdivisions: (chain) =>
    listAll(
      (limiter) => call(getSubdiv, { filter: below('psids', chain), limiter }, { quiet: true }),
      ({ sid }) => sid,
    ),
}
