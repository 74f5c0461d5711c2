import type { DeviceKind, DeviceUse } from '@isotherm/contract/devices'
import type { Access } from '@isotherm/contract/endpoint'
import {
  type ControlAbility,
  deleteCtlDev,
  updateCtlDev,
} from '@isotherm/contract/endpoints/devices/control-devices'
import { deleteCtlGroup, updateCtlGroup } from '@isotherm/contract/endpoints/devices/device-groups'
import type { Caller } from '../../../platform/http/call.ts'
import { toAbilities } from '../policy.ts'

type Permitted = Pick<Caller, 'permissions'>

const mayCall = ({ permissions }: Permitted, { access }: { readonly access: Access }): boolean =>
  access.kind !== 'permission' || access.anyOf.some((permission) => permissions.has(permission))

/** The caller's abilities on a control device. `isGranted`: the controlled node is in the caller's scope too. */
export const toControlAbilities = (
  caller: Permitted,
  {
    kind,
    use,
    isGranted,
  }: { readonly kind: DeviceKind; readonly use: DeviceUse; readonly isGranted: boolean },
): ControlAbility[] => [
  ...(isGranted && mayCall(caller, updateCtlDev) ? (['edit'] as const) : []),
  ...(isGranted && mayCall(caller, deleteCtlDev) ? (['remove'] as const) : []),
  ...(toAbilities(caller, kind, use).includes('control') ? (['control'] as const) : []),
]

/** The caller's abilities on a device group. `isWhole`: the scope covers every device of the group. */
export const toGroupAbilities = (
  caller: Permitted,
  { isWhole, valveCount }: { readonly isWhole: boolean; readonly valveCount: number },
): ControlAbility[] => {
  if (!isWhole) return []
  return [
    ...(mayCall(caller, updateCtlGroup) ? (['edit'] as const) : []),
    ...(mayCall(caller, deleteCtlGroup) ? (['remove'] as const) : []),
    ...(valveCount > 0 && toAbilities(caller, 'valve').includes('control') ? (['control'] as const) : []),
  ]
}
