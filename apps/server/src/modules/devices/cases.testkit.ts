import type { deviceModelsEndpoints } from '@isotherm/contract/endpoints/devices/device-models'
import type { deviceProfilesEndpoints } from '@isotherm/contract/endpoints/devices/device-profiles'
import type { devicesEndpoints } from '@isotherm/contract/endpoints/devices/devices'
import type { gatewayConfigsEndpoints } from '@isotherm/contract/endpoints/devices/gateway-configs'
import type { gatewayLoginsEndpoints } from '@isotherm/contract/endpoints/devices/gateway-logins'
import type { unregisteredDevicesEndpoints } from '@isotherm/contract/endpoints/devices/unregistered-devices'
import { sql } from 'kysely'
import { z } from 'zod'
import type { CasesOf, World } from '../../testing/endpoint-cases.testkit.ts'
import { storeRefusals } from './logins/refusal-store.pg.ts'
import type { UnregisteredReport } from './unregistered/unregistered-report.ts'
import { storeUnregistered } from './unregistered/unregistered-store.pg.ts'

const roomProfile = {
  v: 1,
  name: { zh: '室温', en: 'Room' },
  kind: 'room-sensor',
  pollPeriodS: 900,
  bus: {
    driver: 'modbus',
    transport: 'rtu',
    blocks: [{ fc: 3, start: 0, count: 1 }],
    readings: [{ metric: 'temp.room', address: 0, type: 'i16', scale: 0.1, unit: '°C' }],
  },
}
const made = z.object({ id: z.number(), version: z.number() })
const limiter = { page: 1, size: 100 }

const toModel = ({ unique }: World) => ({ kind: 'heat-meter', name: unique('M'), maker: '表厂' })

const addModel = async (world: World) => made.parse(await world.callOk('addDevModel', toModel(world)))

const toProfile = ({ unique }: World) => ({ ...roomProfile, id: unique('p').toLowerCase() })

const addProfile = async (world: World) =>
  made.parse(await world.callOk('addDevProfile', { profile: toProfile(world) }))

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

const addGateway = async (world: World) => {
  const { concentratorId: _, ...gateway } = await toDevice(world)
  return made.parse(await world.callOk('insertDev', gateway))
}

const toUnregistered = (gatewayId: number, address: string): UnregisteredReport => ({
  gatewayId,
  via: 'readings',
  line: '',
  address,
  said: { m: { 'heat.energy': 1234 } },
  count: 1,
  at: Date.now(),
})

const ofFirstStation = async ({ server }: World) => ({
  nodes: [await server.nodeKey('s1')],
  filter: [{ field: 'name', cond: 'regex', vrex: '.*' }],
  limiter,
})

export const devicesCases: CasesOf<
  | keyof typeof devicesEndpoints
  | keyof typeof deviceModelsEndpoints
  | keyof typeof deviceProfilesEndpoints
  | keyof typeof gatewayConfigsEndpoints
  | keyof typeof gatewayLoginsEndpoints
  | keyof typeof unregisteredDevicesEndpoints
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
  getGatewayConfig: async () => ({ imei: 'C-b2' }),
  async setGatewayConfig(world) {
    const { id } = await addGateway(world)
    return { id, version: 0, config: { v: 1, lines: [] } }
  },
  async getUnregisteredDevices({ server }) {
    const gatewayId = await server.deviceId('C-b2')
    await storeUnregistered(server.db, [toUnregistered(gatewayId, 'E-unregistered')])
    return { deviceId: gatewayId }
  },
  async adoptDevice(world) {
    const { concentratorId: gatewayId, ...device } = await toDevice(world)
    await storeUnregistered(world.server.db, [toUnregistered(gatewayId, device.imei)])
    const unregistered = sql<{
      id: number
    }>`select id from unregistered_device where address = ${device.imei}`
    return { ...device, id: (await unregistered.execute(world.server.db)).rows[0]?.id }
  },
  getGatewayLogin: async ({ server }) => ({ id: await server.deviceId('C-b2') }),
  showGatewayLogin: async (world) => ({ id: (await addGateway(world)).id }),
  rotateGatewayLogin: addGateway,
  revokeGatewayLogin: addGateway,
  exportGatewayLogins: async ({ server }) => ({ nodes: [await server.nodeKey('s1')] }),
  makeConnectionToken: async (world) => ({ id: (await addGateway(world)).id }),
  withdrawConnectionToken: async (world) => ({ id: (await addGateway(world)).id }),
  exportBrokerLogins: async ({ server }) => ({ nodes: [await server.nodeKey('s1')] }),
  async getGatewayRefusals({ server }) {
    const now = Date.now()
    const refused = { tenant: 'demo', serial: 'C-b2', user: 'demo/C-b2', topic: '', address: '127.0.0.1' }
    const given = { ...refused, reason: 'wrong-password', count: 1, firstAt: now, lastAt: now } as const
    await storeRefusals(server.db, [given])
    return { deviceId: await server.deviceId('C-b2') }
  },
  getAllDevModels: async () => ({}),
  addDevModel: async (world) => toModel(world),
  editDevModel: async (world) => ({ ...(await addModel(world)), maker: '新表厂' }),
  deleteDevModel: addModel,
  getAllDevProfiles: async () => ({}),
  addDevProfile: async (world) => ({ profile: toProfile(world) }),
  async editDevProfile(world) {
    const stored = await addProfile(world)
    return { ...stored, profile: toProfile(world) }
  },
  deleteDevProfile: addProfile,
}
