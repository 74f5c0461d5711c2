import type { Group, Project, Subdivision, Vauser } from '@isotherm/contract/endpoints/network'
import { getDevGroups, getSubdiv, getVauser, queryProjectList } from '@isotherm/contract/endpoints/network'
import { call } from '../../shared/api/client.ts'

/** The calls the tree makes. */
export interface TreeSource {
  readonly listProjects: (page: number, size: number) => Promise<{ list: Project[]; total: number }>
  /** Groups of a project, nested, or those below one group of it. */
  readonly listGroups: (projectId: number, groupId?: number) => Promise<readonly Group[]>
  /** Sub-users with addresses whose ancestors begin with a chain of ids. */
  readonly listSubUsers: (chain: string) => Promise<readonly Vauser[]>
  readonly listSubdivisions: (chain: string) => Promise<readonly Subdivision[]>
}

/** Subdivision and vauser lists come in pages of this size (specification, section 9). */
const LIST_PAGE = 1000

interface Page<Item> {
  readonly datalist: readonly Item[]
  readonly total: number
}

/**
 * All pages until their total is reached, each item once: rows that shift while pages are asked for one after
 * the other may come twice.
 */
export async function listAll<Item>(
  toKey: (item: Item) => string,
  loadPage: (page: number, size: number) => Promise<Page<Item>>,
): Promise<readonly Item[]> {
  const items = new Map<string, Item>()
  for (let page = 1; ; page += 1) {
    const { datalist, total } = await loadPage(page, LIST_PAGE)
    for (const item of datalist) items.set(toKey(item), item)
    if (datalist.length === 0 || page * LIST_PAGE >= total) return [...items.values()]
  }
}

/** Everything whose ancestors begin with a chain of ids. */
const below = (field: string, chain: string) => [{ field, cond: 'regex' as const, vrex: `^${chain}(,|$)` }]

/** The tree's calls to the server; the tree shows their failures itself. */
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
      ({ uuid }) => uuid,
      (page, size) =>
        call(getVauser, { filter: below('parentids', chain), limiter: { page, size } }, { quiet: true }),
    ),
  listSubdivisions: (chain) =>
    listAll(
      ({ sid }) => sid,
      (page, size) =>
        call(getSubdiv, { filter: below('psids', chain), limiter: { page, size } }, { quiet: true }),
    ),
}
