import type { Vauser } from '@isotherm/contract/endpoints/network/network'
import {
  group,
  project,
  type SampleCompany,
  vauser,
} from '../../features/network/lists/list-samples.testkit.ts'

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

/** One company of two areas, with heat stations, residential areas and buildings named as in the demo. */
export const createSampleNetwork = (): SampleCompany => ({
  projects: [project(1, '和源热力集团')],
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
  subdivisions: [],
})
