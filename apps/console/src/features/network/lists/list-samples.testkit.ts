import type { Group, Project, Subdivision, Vauser } from '@isotherm/contract/endpoints/network/network'
import type { Steps } from './in-slices.ts'

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

/** Runs all steps without pauses and returns the result. */
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
