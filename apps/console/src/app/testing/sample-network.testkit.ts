import {
  type Group,
  getDevGroups,
  getSubdiv,
  getVauser,
  queryProjectList,
  type Vauser,
} from '@isotherm/contract/endpoints/network/network'
import { getNodeHealth } from '@isotherm/contract/endpoints/network/tree'
import { group, project, vauser } from '../../features/network/lists/list-samples.testkit.ts'
import type { FakeApi } from '../../shared/testing/fake-api.testkit.ts'

const BUILDINGS = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '十一', '十二']
const UNITS = [1, 2, 3]
const HOUSEHOLDS = [101, 102, 201, 202, 301, 302]

const addresses = UNITS.flatMap((unit) => HOUSEHOLDS.map((household) => `${unit}单元-${household}`))

/** Twelve buildings of a residential area; `base` makes their ids unique. */
const toBuildings = (base: string, chain: string): Vauser[] =>
  BUILDINGS.map((name, place) =>
    vauser(
      `00000000-0000-4000-8000-${base}${String(place + 1).padStart(12 - base.length, '0')}`,
      `${name}号楼`,
      addresses,
      chain,
    ),
  )

/** The network that the fake product serves; a test may change it. */
export interface SampleNetwork {
  groups: Group[]
  users: Vauser[]
}

/** One company of two areas, with heat stations, residential areas and buildings named as in the demo. */
export const createSampleNetwork = (): SampleNetwork => ({
  groups: [
    group(2, 2, '和源城区供热公司', [
      group(3, 3, '城东区域', [
        group(5, 4, '东苑换热站', [group(7, 5, '东苑小区'), group(8, 5, '东苑北区')]),
      ]),
      group(4, 3, '城西区域', [group(6, 4, '文化换热站', [group(9, 5, '文化小区')])]),
    ]),
  ],
  users: [
    ...toBuildings('7', '1,2,3,5,7'),
    ...toBuildings('8', '1,2,3,5,8'),
    ...toBuildings('9', '1,2,4,6,9'),
  ],
})

const findGroup = (groups: readonly Group[], id: number): Group | undefined => {
  for (const each of groups) {
    const found = each.id === id ? each : findGroup(each.childrens, id)
    if (found) return found
  }
  return undefined
}

/** Answers the calls of the tree from the network. */
export function answerNetwork(api: FakeApi, network: SampleNetwork): void {
  const projects = [project(1, '和源热力集团')]
  api.answer(queryProjectList, ({ pageNo }) => ({
    list: pageNo === 1 ? projects : [],
    total: projects.length,
  }))
  api.answer(getDevGroups, ({ id }) => ({
    groupList: id === undefined ? network.groups : (findGroup(network.groups, id)?.childrens ?? []),
  }))
  api.answer(getVauser, ({ filter = [], limiter }) => {
    const found = network.users.filter(({ info }) =>
      filter.every((each) => !('vrex' in each) || new RegExp(String(each.vrex)).test(info.pids)),
    )
    const { page = 1, size = found.length } = limiter ?? {}
    return { datalist: found.slice((page - 1) * size, page * size), total: found.length }
  })
  api.answer(getSubdiv, { datalist: [], total: 0 })
  api.answer(getNodeHealth, ({ nodes }) => ({
    datalist: nodes.map((node) => ({
      node,
      health: 'good' as const,
      devCount: 3,
      silentCount: 0,
      unknownCount: 0,
      badCount: 0,
    })),
  }))
}
