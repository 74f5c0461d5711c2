import type { Device, DeviceKind, DeviceUse } from '@isotherm/contract/devices'
import { managingPages } from '@isotherm/contract/endpoints/device-access'
import { AppError } from '../../platform/app-error.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { StoredDevice } from './lists/device-query.ts'

/** Whether the caller may change devices of a kind: each kind has its page. */
export const mayManage = (caller: Pick<Caller, 'permissions'>, kind: DeviceKind): boolean =>
  caller.permissions.has(managingPages[kind])

/** Throws access.denied for who may not. */
export function requireManaging(caller: Pick<Caller, 'permissions'>, kind: DeviceKind): void {
  if (!mayManage(caller, kind)) throw new AppError('access.denied')
}

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

/** A device with what the caller may do with it. */
export const toSeen = (caller: Pick<Caller, 'permissions'>, device: StoredDevice): Device => ({
  ...device,
  abilities: toAbilities(caller, device.kind, device.use),
})
