import type { TreeHit, TreeStep } from '@isotherm/contract/endpoints/network/tree'
import {
  group,
  project,
  type SampleCompany,
  UUID_A,
  UUID_B,
  UUID_TEST,
  vauser,
} from '../lists/list-samples.testkit.ts'

const UUID_12 = '00000000-0000-4000-8000-000000000012'
export const UUID_5 = '00000000-0000-4000-8000-000000000005'
const DONGYUAN = '1,2,3,5,7'
const WENHUALI = '1,2,3,6,8'

/** Keys of groups of the town. */
export const townKeys = { east: '3', west: '4', eastStation: '5', eastArea: '7', westStation: '9' } as const

/**
 * A company with two areas: 城东区域 with two stations and a residential area at each, 城西区域 with one. Stations of
 * 城西区域 have the subdivision type s.
 */
export const createTown = (): SampleCompany => ({
  projects: [project(1, '和源热力集团')],
  groups: [
    group(2, 2, '和源城区供热公司', [
      group(3, 3, '城东区域', [
        group(5, 4, '东苑换热站', [group(7, 5, '东苑小区')]),
        group(6, 4, '文化路换热站', [group(8, 5, '文化里小区')]),
      ]),
      group(4, 3, '城西区域', [group(9, 4, '城西换热站', [group(10, 5, '城西小区')])]),
    ]),
  ],
  users: [
    vauser(UUID_A, '一号楼', ['1单元-101', '1单元-102', '2单元-201', '3单元-301'], DONGYUAN),
    vauser(UUID_B, '二号楼', ['1单元-101', '2单元-201'], DONGYUAN),
    vauser(UUID_5, '五号楼', ['1单元-101', '2单元-301', '2单元-302'], DONGYUAN),
    vauser(UUID_12, '十二号楼', ['1单元-101'], WENHUALI),
    vauser(UUID_TEST, '测试用户', [], DONGYUAN, true),
  ],
  subdivisions: [{ sid: '9', psids: '1,2,4', stype: 's', version: 1, abilities: [] }],
})

const areaSteps: readonly TreeStep[] = [
  { node: '1', label: '和源热力集团', level: 1, nodetype: 'project' },
  { node: '2', label: '和源城区供热公司', level: 2, nodetype: 'group' },
  { node: '3', label: '城东区域', level: 3, nodetype: 'group' },
  { node: '5', label: '东苑换热站', level: 4, nodetype: 'group' },
  { node: '7', label: '东苑小区', level: 5, nodetype: 'group' },
]

const toHit = (chain: readonly TreeStep[], match: TreeHit['match']): TreeHit => ({
  chain: [...chain],
  nestaddr: chain.map(({ label }) => label).join(','),
  projectid: 1,
  match,
})

/** The residential area 东苑小区, found by the initials of its pinyin. */
export const areaHit = toHit(areaSteps, 'pinyin')

/** Two hits for 5-2-301: the household 301 in unit 2 of 五号楼, and the unit. */
export const householdHits: readonly TreeHit[] = [
  toHit(
    [
      ...areaSteps,
      { node: UUID_5, label: '五号楼', level: 6, nodetype: 'user' },
      { node: `${UUID_5}-L1-2单元`, label: '2单元', level: 7, nodetype: 'addr' },
      { node: `${UUID_5}-L2-2单元-301`, label: '301', level: 8, nodetype: 'addr' },
    ],
    'address',
  ),
  toHit(
    [
      ...areaSteps,
      { node: UUID_A, label: '一号楼', level: 6, nodetype: 'user' },
      { node: `${UUID_A}-L1-3单元`, label: '3单元', level: 7, nodetype: 'addr' },
      { node: `${UUID_A}-L2-3单元-301`, label: '301', level: 8, nodetype: 'addr' },
    ],
    'address',
  ),
]
