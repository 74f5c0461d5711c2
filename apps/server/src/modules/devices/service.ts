import type { Device, DeviceKind } from '@isotherm/contract/devices'
import type { Limiter } from '@isotherm/contract/filter'
import { AppError } from '../../platform/app-error.ts'
import type { Scope } from '../../platform/scope.ts'
import type { DeviceStore, StoredDevice } from './store.ts'

export interface DevicePage {
  readonly datalist: Device[]
  readonly total: number
}

/** The device registry. `abilities` in its answers are empty: the handler adds what the caller may do. */
export interface DevicesService {
  /** Devices in use of `kinds` below `paths` (of NetworkService.resolveNodes), in tree order. */
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

const withoutAbilities = (device: StoredDevice): Device => ({ ...device, abilities: [] })

export const createDevicesService = (store: DeviceStore): DevicesService => ({
  async listDevices(scope, paths, kinds, limiter) {
    const { rows, total } = await store.list(scope, { paths, kinds, use: 'in-use', limiter })
    return { datalist: rows.map(withoutAbilities), total }
  },

  listDeviceIds: (scope, paths, kinds, limiter) =>
    store.listIds(scope, { paths, kinds, use: 'in-use', limiter }),

  async getDevices(scope, ids) {
    const byId = new Map((await store.find(scope, ids)).map((device) => [device.id, device]))
    return ids.map((id) => {
      const device = byId.get(id)
      if (!device) throw new AppError('device.not-found')
      return withoutAbilities(device)
    })
  },
})
