import type { Device, DeviceKind } from '@isotherm/contract/devices'
import type { Limiter } from '@isotherm/contract/filter'
import type { Caller } from '../../platform/http/call.ts'
import type { Scope } from '../../platform/scope.ts'

export interface DevicePage {
  readonly datalist: Device[]
  readonly total: number
}

/** The device registry. `abilities` in its answers are empty: the handler adds what the caller may do. */
export interface DevicesService {
  /** Devices of `kinds` below `paths` (of NetworkService.resolveNodes), in tree order. */
  listDevices(
    scope: Scope,
    paths: readonly string[],
    kinds: readonly DeviceKind[],
    limiter: Limiter,
  ): Promise<DevicePage>
  /** Only the ids of the same list, for stores that hold something by device. */
  listDeviceIds(
    scope: Scope,
    paths: readonly string[],
    kinds: readonly DeviceKind[],
    limiter: Limiter,
  ): Promise<{ readonly ids: number[]; readonly total: number }>
  /** The devices of `ids`, in the order given. Throws device.not-found for an unknown or foreign id. */
  getDevices(scope: Scope, ids: readonly number[]): Promise<Device[]>
}

/** What the caller may do with a device. */
export const toAbilities = (caller: Caller, kind: DeviceKind): Device['abilities'] =>
  kind === 'valve' && caller.permissions.has('pe-fmcontrol') ? ['control'] : []
