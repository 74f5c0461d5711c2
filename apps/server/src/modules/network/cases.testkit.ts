import type { emittersEndpoints } from '@isotherm/contract/endpoints/network/emitters'
import type { groupsEndpoints } from '@isotherm/contract/endpoints/network/groups'
import type { networkEndpoints } from '@isotherm/contract/endpoints/network/network'
import type { nodeRecordEndpoints } from '@isotherm/contract/endpoints/network/node-record'
import type { pipesEndpoints } from '@isotherm/contract/endpoints/network/pipes'
import type { projectsEndpoints } from '@isotherm/contract/endpoints/network/projects'
import type { subdivisionsEndpoints } from '@isotherm/contract/endpoints/network/subdivisions'
import type { treeEndpoints } from '@isotherm/contract/endpoints/network/tree'
import type { vausersEndpoints } from '@isotherm/contract/endpoints/network/vausers'
import type { zoneGisEndpoints } from '@isotherm/contract/endpoints/network/zone-gis'
import { z } from 'zod'
import type { CasesOf, World } from '../../testing/endpoint-cases.testkit.ts'

const limiter = { page: 1, size: 100 }
const everyName = { filter: [{ field: 'name', cond: 'regex', vrex: '.*' }], limiter }

const numbered = z.object({ id: z.number(), version: z.number() })
const named = z.object({ uuid: z.string(), version: z.number() })
const marked = z.object({ sid: z.string(), version: z.number() })
const listed = z.object({ datalist: z.array(z.object({ version: z.number() })) })

const addProject = async ({ callOk, unique }: World) =>
  numbered.parse(await callOk('addProject', { projectName: unique('集团') }))

const addGroup = async ({ server, callOk, unique }: World) => {
  const input = { parentId: await server.nodeId('s1'), title: unique('新区'), level: 5 }
  return numbered.parse(await callOk('addDevGroup', input))
}

const addSubUser = async ({ server, callOk, unique }: World) => {
  const input = { parentId: await server.nodeId('a1'), name: unique('新楼'), addrlist: ['1单元-101'] }
  return named.parse(await callOk('addSubUser', input))
}

const addMark = async (world: World) => {
  const { id } = await addGroup(world)
  return marked.parse(await world.callOk('addSubdivision', { sid: String(id), stype: 's' }))
}

const toSubUser = async ({ server, unique }: World) => ({
  parentId: await server.nodeId('a1'),
  name: unique('新楼'),
  addrlist: ['1单元-101', '1单元-102'],
  areas: [{ address: '1单元-101', areaM2: 88.5 }],
})

const toMark = async (world: World) => ({ sid: String((await addGroup(world)).id), stype: 's' })

const record = { lengthM: 120, innerDiameterMm: 107.1, material: 'steel' }

const place = { longitudeDeg: 116.4, latitudeDeg: 39.9 }

type Edited = typeof projectsEndpoints &
  typeof groupsEndpoints &
  typeof subdivisionsEndpoints &
  typeof vausersEndpoints &
  typeof zoneGisEndpoints &
  typeof pipesEndpoints &
  typeof emittersEndpoints

export const networkCases: CasesOf<
  keyof typeof networkEndpoints | keyof typeof treeEndpoints | keyof typeof nodeRecordEndpoints | keyof Edited
> = {
  queryProjectList: async () => ({ pageNo: 1, pageSize: 20, queryGroupListStatus: 1 }),
  getDevGroups: async ({ server }) => ({
    projectId: await server.nodeId('p'),
    id: await server.nodeId('s1'),
    devCountIsContainChildren: 1,
  }),
  getSubdiv: async () => ({ filter: [], limiter }),
  getSubUser: async () => everyName,
  getVauser: async () => ({ ...everyName, isContainArea: 1 }),
  getLikeSubUser: async () => ({ name: '楼', limiter }),
  searchTree: async () => ({ text: '楼', size: 100 }),
  getNodeHealth: async ({ server }) => ({ nodes: [await server.nodeKey('s1'), await server.nodeKey('b2')] }),

  getNodeRecord: async ({ server }) => ({ node: await server.nodeKey('b2') }),
  getPlace: async ({ server }) => ({ node: await server.nodeKey('b2') }),

  addProject: async ({ unique }) => ({ projectName: unique('集团') }),
  editProject: async (world) => ({ ...(await addProject(world)), projectName: world.unique('集团') }),
  deleteProject: async (world) => addProject(world),

  addDevGroup: async ({ server, unique }) => ({
    parentId: await server.nodeId('s1'),
    title: unique('新区'),
    level: 5,
    description: '北侧',
  }),
  editDevGroup: async (world) => ({
    ...(await addGroup(world)),
    title: world.unique('新区'),
    parentId: await world.server.nodeId('s1'),
  }),
  deleteDevGroups: async (world) => ({ items: [await addGroup(world), await addGroup(world)] }),

  addSubdivision: toMark,
  insertSubdiv: toMark,
  editSubdivision: async (world) => ({ ...(await addMark(world)), stype: 'x' }),
  deleteSubdivision: addMark,

  addSubUser: toSubUser,
  insertVauser: toSubUser,
  editSubUser: async (world) => ({ ...(await addSubUser(world)), addrlist: ['1单元-101', '2单元-201'] }),
  deleteVauser: async (world) => addSubUser(world),

  getZoneGis: async () => ({ filter: [], limiter }),
  async updateZoneGis(world) {
    const node = String((await addGroup(world)).id)
    const { datalist } = listed.parse(await world.callOk('updateZoneGis', { items: [{ node, place }] }))
    const [{ version } = { version: 0 }] = datalist
    return { items: [{ node, version, place: { ...place, longitudeDeg: 116.5 } }] }
  },
  getHeatedNodes: async ({ server }) => ({ node: await server.nodeKey('s1'), limiter }),
  updateEmitters: async (world) => {
    const { id, version } = await addGroup(world)
    return { items: [{ node: String(id), version, emitter: 'floor' }] }
  },
  getPipes: async ({ server }) => ({ node: await server.nodeKey('s1'), limiter }),
  async updatePipes(world) {
    const ends = {
      from: await world.server.nodeKey('s1'),
      to: String((await addGroup(world)).id),
    }
    const { datalist } = listed.parse(await world.callOk('updatePipes', { items: [{ ...ends, record }] }))
    const [{ version } = { version: 0 }] = datalist
    return { items: [{ ...ends, version, record: { ...record, lengthM: 130 } }] }
  },
}
