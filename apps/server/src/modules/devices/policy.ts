import type { Device, DeviceKind, DeviceUse } from '@isotherm/contract/devices'
import { managingPages } from '@isotherm/contract/endpoints/devices/device-access'
import { AppError } from '../../platform/app-error.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { StoredDevice } from './lists/device-query.ts'

/** Whether the caller may change devices of a kind: each kind has its own page permission. */
export const mayManage = (caller: Pick<Caller, 'permissions'>, kind: DeviceKind): boolean =>
  caller.permissions.has(managingPages[kind])

/** Throws access.denied unless the caller may change devices of the kind. */
export function requireManaging(caller: Pick<Caller, 'permissions'>, kind: DeviceKind): void {
  if (!mayManage(caller, kind)) throw new AppError('access.denied')
}

/** Whether the caller may change models and profiles of a kind, which all companies share: staff of the provider. */
export const mayChangeShared = (
  caller: Pick<Caller, 'permissions' | 'companyId'>,
  kind: DeviceKind,
): boolean => caller.companyId === undefined && mayManage(caller, kind)

/** The caller's abilities on a device of a kind inside the scope. A retired device takes no commands. */
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

/** The device with the caller's abilities on it. */
export const withAbilities = (caller: Pick<Caller, 'permissions'>, device: StoredDevice): Device => ({
  ...device,
  abilities: toAbilities(caller, device.kind, device.use),
})
