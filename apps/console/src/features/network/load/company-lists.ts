import type { Project } from '@isotherm/contract/endpoints/network'
import type { NodeList } from '@isotherm/tree/tree'
import { toProjectList } from '../lists/build-lists.ts'
import { createSubUsers, type SubUsers } from './sub-users.ts'
import type { TreeSource } from './tree-source.ts'

/** Projects come in pages of this size until their total is reached (specification, section 4). */
const PROJECT_PAGE = 20

/** All projects; a total that the pages never reach does not make it ask for ever. */
export async function loadProjects(source: TreeSource): Promise<NodeList> {
  const projects = new Map<number, Project>()
  for (let page = 1; ; page += 1) {
    const { list, total } = await source.listProjects(page, PROJECT_PAGE)
    for (const project of list) projects.set(project.id, project)
    if (list.length === 0 || page * PROJECT_PAGE >= total) return toProjectList([...projects.values()])
  }
}

/** The sub-users of companies by the chain of the level-2 node they were loaded for: asked for once each. */
export interface CompanyLists {
  /** A list that failed may be asked for again. */
  find(chain: string): Promise<SubUsers>
  /** Asks again for one area of a company and puts it in place of what was known. */
  refresh(company: string, area: string): Promise<SubUsers>
  forget(chain: string): void
  forgetAll(): void
}

export function createCompanyLists(source: TreeSource): CompanyLists {
  const known = new Map<string, Promise<SubUsers>>()

  function find(chain: string): Promise<SubUsers> {
    const kept = known.get(chain)
    if (kept) return kept
    const loading = source.listSubUsers(chain).then(createSubUsers)
    known.set(chain, loading)
    loading.catch(() => {
      if (known.get(chain) === loading) known.delete(chain)
    })
    return loading
  }

  return {
    find,
    async refresh(company, area) {
      if (!known.has(company)) return find(company)
      const [users, fresh] = await Promise.all([find(company), source.listSubUsers(area)])
      users.replace(
        area,
        fresh.filter(({ info }) => info.pids === area),
      )
      return users
    },
    forget: (chain) => void known.delete(chain),
    forgetAll: () => known.clear(),
  }
}
