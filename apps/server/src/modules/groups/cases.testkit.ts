import type { groupSchedulesEndpoints } from '@isotherm/contract/endpoints/control/group-schedules'
import { deviceGroup } from '@isotherm/contract/endpoints/devices/device-groups'
import type { CasesOf, World } from '../../testing/endpoint-cases.testkit.ts'

async function toGroupId(world: World): Promise<number> {
  const deviceIds = [await world.server.deviceId('V-b2u1')]
  return deviceGroup.parse(await world.callOk('insertCtlGroup', { name: world.unique('组'), deviceIds })).id
}

export const groupsCases: CasesOf<keyof typeof groupSchedulesEndpoints> = {
  getGroupSchedule: async (world) => ({ groupId: await toGroupId(world) }),
  setGroupSchedule: async (world) => ({
    groupId: await toGroupId(world),
    version: 0,
    enabled: false,
    orders: [{ days: [0, 4], minute: 390, openingPct: 60 }],
  }),
}
