import type { Group } from '@isotherm/contract/endpoints/network/network'
import { createTree, type NodeNumber, type Tree } from '@isotherm/tree/tree'
import type { SlicePorts } from '../lists/in-slices.ts'
import { createCompany, type SampleCompany } from '../lists/list-samples.testkit.ts'
import { createTreeLoader, type LoadFailure } from './tree-loader.ts'
import type { TreeSource } from './tree-source.ts'

/** The group with an id, at any depth. */
export const findGroup = (groups: readonly Group[], id: number): Group | undefined => {
  for (const each of groups) {
    const found = each.id === id ? each : findGroup(each.childrens, id)
    if (found) return found
  }
  return undefined
}

/** The answers of a server for the company, and the requests so far. */
function createSource(company: SampleCompany) {
  const requests: string[] = []
  const source: TreeSource = {
    async listProjects(page, size) {
      requests.push(`projects ${page} ${size}`)
      const list = company.projects.slice((page - 1) * size, page * size)
      return { list, total: company.projects.length }
    },
    async listGroups(projectId, groupId) {
      requests.push(`groups ${projectId} ${groupId ?? ''}`.trim())
      return groupId === undefined ? company.groups : (findGroup(company.groups, groupId)?.childrens ?? [])
    },
    async listSubUsers(chain) {
      requests.push(`users ${chain}`)
      return company.users.filter(({ info }) => info.pids === chain || info.pids.startsWith(`${chain},`))
    },
    async listSubdivisions(chain) {
      requests.push(`subdivisions ${chain}`)
      return company.subdivisions
    },
  }
  return { source, requests }
}

/** A tree with its loader on a sample company. Timers are collected in `timers` and run by the test. */
export function createLoadedTree(
  company = createCompany(),
  change: Partial<TreeSource> = {},
  slices: Partial<SlicePorts> = {},
) {
  const tree = createTree('-1')
  const { source, requests } = createSource(company)
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
  return { tree, loader, company, requests, warnings, timers, busy, lost, at, open }
}

export const keysBelow = (tree: Tree, node: NodeNumber): readonly string[] =>
  tree.children(node).map((child) => tree.view(child).key)
