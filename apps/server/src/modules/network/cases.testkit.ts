import type { networkEndpoints } from '@isotherm/contract/endpoints/network'
import type { treeEndpoints } from '@isotherm/contract/endpoints/tree'
import type { CasesOf } from '../../endpoint-cases.testkit.ts'

const limiter = { page: 1, size: 100 }
const everyName = { filter: [{ field: 'name', cond: 'regex', vrex: '.*' }], limiter }

export const networkCases: CasesOf<keyof typeof networkEndpoints | keyof typeof treeEndpoints> = {
  queryProjectList: async () => ({ pageNo: 1, pageSize: 20, queryGroupListStatus: 1 }),
  getDevGroups: async ({ server }) => ({
    projectId: await server.nodeId('p'),
    id: await server.nodeId('s1'),
    devCountIsContainChildren: 1,
  }),
  getSubdiv: async () => ({ filter: [], limiter }),
  getSubUser: async () => everyName,
  getVauser: async () => everyName,
  searchTree: async () => ({ text: '楼', size: 100 }),
  getNodeHealth: async ({ server }) => ({ nodes: [await server.nodeKey('s1'), await server.nodeKey('b2')] }),
}
