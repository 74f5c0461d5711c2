import type { DeviceKind, DeviceUse } from '@isotherm/contract/devices'
import type { Access } from '@isotherm/contract/endpoint'
import { type ControlAbility, deleteCtlDev, updateCtlDev } from '@isotherm/contract/endpoints/control-devices'
import { deleteCtlGroup, updateCtlGroup } from '@isotherm/contract/endpoints/device-groups'
import type { Caller } from '../../../platform/http/call.ts'
import { toAbilities } from '../policy.ts'

type Permitted = Pick<Caller, 'permissions'>

const mayCall = ({ permissions }: Permitted, { access }: { readonly access: Access }): boolean =>
  access.kind !== 'permission' || access.anyOf.some((permission) => permissions.has(permission))

/** What the caller may do with a control device; `isGranted` when the node it controls is theirs too. */
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

/** What the caller may do with a device group; `isWhole` when every device of it is granted. */
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
