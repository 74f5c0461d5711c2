import {
  controlDevice,
  type controlDevicesEndpoints,
} from '@isotherm/contract/endpoints/devices/control-devices'
import { deviceGroup, type deviceGroupsEndpoints } from '@isotherm/contract/endpoints/devices/device-groups'
import type { CasesOf, World } from '../../../testing/endpoint-cases.testkit.ts'

/** A place below the first station that no control device controls, also after earlier cases. */
async function toPlace({ server }: World) {
  await server.db.deleteFrom('control_device').execute()
  const [deviceId, node] = [await server.deviceId('V-b2u1'), await server.nodeKey('a1')]
  return { deviceId, node, purpose: 'supply' }
}

const makeControlDevice = async (world: World) =>
  controlDevice.parse(
    await world.callOk('insertCtlDev', { ...(await toPlace(world)), name: world.unique('阀') }),
  )

const toGroup = async (world: World) => ({
  name: world.unique('组'),
  description: '早班',
  deviceIds: [await world.server.deviceId('V-b2u1'), await world.server.deviceId('V-b10u1')],
})

const makeGroup = async (world: World) =>
  deviceGroup.parse(await world.callOk('insertCtlGroup', await toGroup(world)))

const limiter = { page: 1, size: 100 }

export const controlCases: CasesOf<
  keyof typeof controlDevicesEndpoints | keyof typeof deviceGroupsEndpoints
> = {
  getCtlDev: async (world) => {
    await makeControlDevice(world)
    return { filter: [{ field: 'enabled', cond: 'eq', vstd: 'true' }], limiter }
  },
  insertCtlDev: async (world) => ({ ...(await toPlace(world)), name: world.unique('阀') }),
  async updateCtlDev(world) {
    const { id, version } = await makeControlDevice(world)
    return { id, version, name: world.unique('阀'), enabled: true }
  },
  async deleteCtlDev(world) {
    const { id, version } = await makeControlDevice(world)
    return { items: [{ id, version }] }
  },
  async rbacInsertCtlDev(world) {
    const { deviceId, purpose } = await toPlace(world)
    return { items: [{ deviceId, purpose, name: world.unique('阀') }] }
  },
  async rbacDeleteCtlDev(world) {
    const { id, version } = await makeControlDevice(world)
    return { items: [{ id, version }] }
  },
  async getCtlGroup(world) {
    await makeGroup(world)
    return { filter: [{ field: 'name', cond: 'like', vstd: '组' }], limiter }
  },
  insertCtlGroup: toGroup,
  async updateCtlGroup(world) {
    const { id, version } = await makeGroup(world)
    return { id, version, deviceIds: [await world.server.deviceId('V-b2u2')] }
  },
  async deleteCtlGroup(world) {
    const { id, version } = await makeGroup(world)
    return { items: [{ id, version }] }
  },
}
