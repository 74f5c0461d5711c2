import type { Device, DeviceKind, DeviceUse } from '@isotherm/contract/devices'
import { managingPages } from '@isotherm/contract/endpoints/device-access'
import type { Caller } from '../../platform/http/call.ts'

/** Whether the caller may change devices of a kind: each kind has its page. */
export const mayManage = (caller: Pick<Caller, 'permissions'>, kind: DeviceKind): boolean =>
  caller.permissions.has(managingPages[kind])

/** What the caller may do with a device of a kind that the scope covers. A retired one takes no commands. */
export const toAbilities = (
  caller: Pick<Caller, 'permissions'>,
  kind: DeviceKind,
  use: DeviceUse = 'in-use',
): Device['abilities'] => [
  ...(kind === 'valve' && use === 'in-use' && caller.permissions.has('pe-fmcontrol')
    ? (['control'] as const)
    : []),
  ...(mayManage(caller, kind) ? (['edit', 'remove'] as const) : []),
]
