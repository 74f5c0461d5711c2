import type { Group, Project, Subdivision, Vauser } from '@isotherm/contract/endpoints/network'
import { createTree, type NodeNumber, type Tree } from '@isotherm/tree/tree'
import type { SlicePorts, Steps } from '../lists/in-slices.ts'
import { createTreeLoader, type LoadFailure } from './tree-loader.ts'
import type { TreeSource } from './tree-source.ts'

export const group = (id: number, level: number, title: string, childrens: Group[] = []): Group => ({
  id,
  title,
  level,
  parentId: 0,
  projectId: 1,
  description: '',
  deviceId: null,
  version: 1,
  abilities: [],
  childrens,
})

export const project = (id: number, projectName: string): Project => ({
  id,
  projectName,
  groupList: [],
  description: '',
  version: 1,
  abilities: [],
})

export const UUID_A = '00000000-0000-4000-8000-00000000000a'
export const UUID_B = '00000000-0000-4000-8000-00000000000b'
export const UUID_TEST = '00000000-0000-4000-8000-0000000000ff'

export const AREA_CHAIN = '1,2,3,4,5'

export const vauser = (
  uuid: string,
  name: string,
  addrlist: string[],
  pids = AREA_CHAIN,
  test = false,
): Vauser => ({
  uuid,
  name,
  puuids: '',
  addrlist,
  info: { pids, url: '' },
  version: 1,
  abilities: [],
  ...(test ? { test } : {}),
})

/** The result of work in steps, done at once. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** A company of one project, area, station and two residential areas with a building each. */
export interface SampleCompany {
  projects: Project[]
  groups: Group[]
  users: Vauser[]
  subdivisions: Subdivision[]
}

export const createCompany = (): SampleCompany => ({
  projects: [project(1, '热力集团')],
  groups: [
    group(2, 2, '公司', [
      group(3, 3, '城东', [group(4, 4, '换热站', [group(5, 5, '小区甲'), group(6, 5, '小区乙')])]),
    ]),
  ],
  users: [
    vauser(UUID_A, '十号楼', ['1单元-101', '1单元-102']),
    vauser(UUID_B, '2号楼', ['1单元-201'], '1,2,3,4,6'),
  ],
  subdivisions: [],
})

const findGroup = (groups: readonly Group[], id: number): Group | undefined => {
  for (const each of groups) {
    const found = each.id === id ? each : findGroup(each.childrens, id)
    if (found) return found
  }
  return undefined
}

/** What a server would answer for the company, and what it was asked. */
function createSource(company: SampleCompany) {
  const asked: string[] = []
  const source: TreeSource = {
    async listProjects(page, size) {
      asked.push(`projects ${page} ${size}`)
      const list = company.projects.slice((page - 1) * size, page * size)
      return { list, total: company.projects.length }
    },
    async listGroups(projectId, groupId) {
      asked.push(`groups ${projectId} ${groupId ?? ''}`.trim())
      return groupId === undefined ? company.groups : (findGroup(company.groups, groupId)?.childrens ?? [])
    },
    async listSubUsers(chain) {
      asked.push(`users ${chain}`)
      return company.users.filter(({ info }) => info.pids === chain || info.pids.startsWith(`${chain},`))
    },
    async listSubdivisions(chain) {
      asked.push(`subdivisions ${chain}`)
      return company.subdivisions
    },
  }
  return { source, asked }
}

/** A tree with its loader on a sample company; time passes when `pass` is called. */
export function createWorld(
  company = createCompany(),
  change: Partial<TreeSource> = {},
  slices: Partial<SlicePorts> = {},
) {
  const tree = createTree('-1')
  const { source, asked } = createSource(company)
  const warnings: LoadFailure[] = []
  const timers: { ms: number; run: () => void }[] = []
  const busy: string[][] = []
  const lost: string[][] = []
  const loader = createTreeLoader({
    tree,
    source: { ...source, ...change },
    warn: (failure) => void warnings.push(failure),
    onBusy: (keys) => void busy.push([...keys]),
    onLost: (keys) => void lost.push([...keys]),
    onChange: () => undefined,
    after: (ms, run) => void timers.push({ ms, run }),
    now: () => 0,
    pause: () => Promise.resolve(),
    ...slices,
  })
  const at = (key: string): NodeNumber => {
    const node = tree.find(key)
    if (node === undefined) throw new Error(`no node ${key}`)
    return node
  }
  /** Opens nodes one after the other. */
  const open = async (...keys: string[]) => {
    for (const key of keys) await loader.open(at(key))
  }
  return { tree, loader, company, asked, warnings, timers, busy, lost, at, open }
}

export const keysBelow = (tree: Tree, node: NodeNumber): readonly string[] =>
  tree.children(node).map((child) => tree.view(child).key)
