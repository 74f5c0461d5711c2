import type { Project } from '@isotherm/contract/endpoints/network/network'
import type { NodeList } from '@isotherm/tree/tree'
import { toProjectList } from '../lists/build-lists.ts'
import { createSubUsers, type SubUsers } from '../lists/sub-users.ts'
import type { TreeSource } from './tree-source.ts'

/** Projects come in pages of this size until their total is reached (specification, section 4). */
const PROJECT_PAGE = 20

/** All projects. It ends at an empty page, even if the total is not reached. */
export async function loadProjects(source: TreeSource): Promise<NodeList> {
  const projects = new Map<number, Project>()
  for (let page = 1; ; page += 1) {
    const { list, total } = await source.listProjects(page, PROJECT_PAGE)
    for (const project of list) projects.set(project.id, project)
    if (list.length === 0 || page * PROJECT_PAGE >= total) return toProjectList([...projects.values()])
  }
}

/** A cache of the sub-users per company, by the id chain of its level-2 node. Each company is fetched once. */
export interface CompanyLists {
  /** The sub-users of a company. A failed fetch is not cached. */
  find(chain: string): Promise<SubUsers>
  /** Fetches one area of a company again and replaces its cached part. */
  refresh(company: string, area: string): Promise<SubUsers>
  forget(chain: string): void
  forgetAll(): void
}

export function createCompanyLists(source: TreeSource): CompanyLists {
  const cache = new Map<string, Promise<SubUsers>>()

  function find(chain: string): Promise<SubUsers> {
    const cached = cache.get(chain)
    if (cached) return cached
    const loading = source.listSubUsers(chain).then(createSubUsers)
    cache.set(chain, loading)
    loading.catch(() => {
      if (cache.get(chain) === loading) cache.delete(chain)
    })
    return loading
  }

  return {
    find,
    async refresh(company, area) {
      if (!cache.has(company)) return find(company)
      const [users, fresh] = await Promise.all([find(company), source.listSubUsers(area)])
      users.replace(
        area,
        fresh.filter(({ info }) => info.pids === area),
      )
      return users
    },
    forget: (chain) => void cache.delete(chain),
    forgetAll: () => cache.clear(),
  }
}
