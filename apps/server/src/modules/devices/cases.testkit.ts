import type { deviceModelsEndpoints } from '@isotherm/contract/endpoints/devices/device-models'
import type { devicesEndpoints } from '@isotherm/contract/endpoints/devices/devices'
import type { gatewayLoginsEndpoints } from '@isotherm/contract/endpoints/devices/gateway-logins'
import { z } from 'zod'
import type { CasesOf, World } from '../../testing/endpoint-cases.testkit.ts'

const made = z.object({ id: z.number(), version: z.number() })
const limiter = { page: 1, size: 100 }

const toModel = ({ unique }: World) => ({ kind: 'heat-meter', name: unique('M'), maker: '表厂' })

const addModel = async (world: World) => made.parse(await world.callOk('addDevModel', toModel(world)))

const toDevice = async (world: World) => ({
  kind: 'heat-meter',
  imei: world.unique('E-'),
  meterNo: world.unique('1000'),
  name: world.unique('热表'),
  modelId: (await addModel(world)).id,
  node: await world.server.nodeKey('b2'),
  concentratorId: await world.server.deviceId('C-b2'),
  periodS: 900,
})

const addDevice = async (world: World) => made.parse(await world.callOk('insertDev', await toDevice(world)))

const ofFirstStation = async ({ server }: World) => ({
  nodes: [await server.nodeKey('s1')],
  filter: [{ field: 'name', cond: 'regex', vrex: '.*' }],
  limiter,
})

export const devicesCases: CasesOf<
  keyof typeof devicesEndpoints | keyof typeof deviceModelsEndpoints | keyof typeof gatewayLoginsEndpoints
> = {
  getDevs: async ({ server }) => ({
    projectId: await server.nodeId('p'),
    groupId: await server.nodeId('s1'),
    id: await server.nodeId('a1'),
    text: 'V-',
    pageNo: 1,
    pageSize: 20,
  }),
  getDevice: async ({ server }) => ({ id: await server.deviceId('V-b2u1') }),
  getDeviceInfoByDeviceNos: async () => ({ deviceNos: ['V-b2u1', 'C-b2'] }),
  getDev: ofFirstStation,
  getDevPre: ofFirstStation,
  isExistImei: async ({ server }) => ({ imei: 'V-b2u1', node: await server.nodeKey('s1') }),
  insertDev: toDevice,
  async updateDev(world) {
    const node = await world.server.nodeKey('a1')
    return { ...(await addDevice(world)), name: world.unique('热表'), node }
  },
  updateBatchDev: async (world) => ({
    items: [await addDevice(world), await addDevice(world)],
    changes: { periodS: 600 },
  }),
  deleteDev: async (world) => ({ items: [await addDevice(world)] }),
  replaceDev: async (world) => ({ ...(await addDevice(world)), imei: world.unique('E-') }),
  updateDevPre: async (world) => ({ items: [await addDevice(world)], periodS: 300 }),
  wxUpdateDevByTk: async (world) => ({ ...(await addDevice(world)), description: '二层管井' }),
  showGatewayLogin: async ({ server }) => ({ id: await server.deviceId('C-b2') }),
  getAllDevModels: async () => ({}),
  addDevModel: async (world) => toModel(world),
  editDevModel: async (world) => ({ ...(await addModel(world)), maker: '新表厂' }),
  deleteDevModel: addModel,
}
