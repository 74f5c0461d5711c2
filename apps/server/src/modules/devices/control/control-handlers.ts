import type { controlDevicesEndpoints } from '@isotherm/contract/endpoints/devices/control-devices'
import type { deviceGroupsEndpoints } from '@isotherm/contract/endpoints/devices/device-groups'
import type { HandlersOf } from '../../../platform/http/handlers.ts'
import type { ControlService } from './control-service.ts'
import type { DeviceGroupsService } from './group-service.ts'

export const createControlHandlers = (
  control: ControlService,
  groups: DeviceGroupsService,
): HandlersOf<keyof typeof controlDevicesEndpoints | keyof typeof deviceGroupsEndpoints> => ({
  getCtlDev: (input, { caller }) => control.list(caller, input),
  insertCtlDev: (input, call) => control.add(call, input),
  updateCtlDev: (input, call) => control.change(call, input),
  deleteCtlDev: async ({ items }, call) => ({ ids: await control.remove(call, items) }),
  rbacInsertCtlDev: async ({ items }, call) => ({ datalist: await control.addInPlace(call, items) }),
  rbacDeleteCtlDev: async ({ items }, call) => ({ ids: await control.remove(call, items) }),
  getCtlGroup: (input, { caller }) => groups.list(caller, input),
  insertCtlGroup: (input, call) => groups.add(call, input),
  updateCtlGroup: (input, call) => groups.change(call, input),
  deleteCtlGroup: async ({ items }, call) => ({ ids: await groups.remove(call, items) }),
})
