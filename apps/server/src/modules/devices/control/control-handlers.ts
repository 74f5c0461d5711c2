import type { controlDevicesEndpoints } from '@isotherm/contract/endpoints/devices/control-devices'
import type { deviceGroupsEndpoints } from '@isotherm/contract/endpoints/devices/device-groups'
import { AppError } from '../../../platform/app-error.ts'
import type { Caller } from '../../../platform/http/call.ts'
import type { HandlersOf } from '../../../platform/http/handlers.ts'
import type { ControlService } from './control-service.ts'
import type { DeviceGroupsService } from './group-service.ts'

/** Only users who may control valves decide which valves a schedule moves. */
const mayControl = ({ permissions }: Caller): boolean => permissions.has('pe-fmcontrol')

/** Whether a group has an enabled schedule. Its orders go to the devices that the group has when they are sent. */
export type HasSchedule = (groupId: number) => Promise<boolean>

export const createControlHandlers = (
  control: ControlService,
  groups: DeviceGroupsService,
  hasSchedule: HasSchedule,
): HandlersOf<keyof typeof controlDevicesEndpoints | keyof typeof deviceGroupsEndpoints> => ({
  getCtlDev: (input, { caller }) => control.list(caller, input),
  insertCtlDev: (input, call) => control.add(call, input),
  updateCtlDev: (input, call) => control.change(call, input),
  deleteCtlDev: async ({ items }, call) => ({ ids: await control.remove(call, items) }),
  rbacInsertCtlDev: async ({ items }, call) => ({ datalist: await control.addInPlace(call, items) }),
  rbacDeleteCtlDev: async ({ items }, call) => ({ ids: await control.remove(call, items) }),
  getCtlGroup: (input, { caller }) => groups.list(caller, input),
  insertCtlGroup: (input, call) => groups.add(call, input),
  async updateCtlGroup(input, call) {
    if (input.deviceIds && !mayControl(call.caller) && (await hasSchedule(input.id)))
      throw new AppError('device-group.scheduled')
    return groups.change(call, input)
  },
  deleteCtlGroup: async ({ items }, call) => ({ ids: await groups.remove(call, items) }),
})
