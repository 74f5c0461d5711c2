import type { Group } from '@isotherm/contract/endpoints/network'
import { toGroupNodes, toProjectNode } from './build-nodes.ts'
import { emptyTree, putChildren, type TreeModel } from './tree-model.ts'

export const group = (id: number, level: number, title: string, childrens: Group[] = []): Group => ({
  id,
  title,
  level,
  parentId: 0,
  projectId: 1,
  description: '',
  deviceId: null,
  childrens,
})

export const UUID_A = '00000000-0000-4000-8000-00000000000a'
export const UUID_B = '00000000-0000-4000-8000-00000000000b'
export const UUID_TEST = '00000000-0000-4000-8000-0000000000ff'

export const vauser = (uuid: string, name: string, addrlist: string[], pids = '1,2,3,4,5', test = false) => ({
  uuid,
  name,
  puuids: '',
  addrlist,
  info: { pids, url: '' },
  ...(test ? { test } : {}),
})

const project = toProjectNode({ id: 1, projectName: '热力集团', groupList: [] })
export const groupNodes = toGroupNodes(project, [
  group(2, 2, '公司', [
    group(3, 3, '城东', [group(4, 4, '换热站', [group(5, 5, '小区甲'), group(6, 5, '小区乙')])]),
  ]),
])

/** Project, company, area, station and two residential areas; nothing below these is loaded. */
export const sampleTree: TreeModel = putChildren(putChildren(emptyTree, '-1', [project]), '1', groupNodes)
