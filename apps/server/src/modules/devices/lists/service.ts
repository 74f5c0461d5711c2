import type { Device, DeviceKind } from '@isotherm/contract/devices'
import type { Limiter } from '@isotherm/contract/filter'
import { AppError } from '../../../platform/app-error.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { DeviceLabel, DeviceQuery, DeviceStore, StoredDevice } from './device-query.ts'

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
  /** Devices that a query selects, retired ones too unless it says otherwise, in tree order. */
  search(scope: Scope, query: DeviceQuery): Promise<DevicePage>
  /** Every device that goes by one of the serials or IMEIs, in the order given. Throws device.not-found. */
  getNamed(scope: Scope, names: readonly string[]): Promise<Device[]>
  /** Those of them that there are. */
  findNamed(scope: Scope, name: string): Promise<Device[]>
  /** Whether any device goes by a serial or IMEI, of the company a path lies in or of all. */
  isTaken(
    name: string,
    where: { readonly companyId?: number | undefined; readonly path?: string | undefined },
  ): Promise<boolean>
  /** Throws device.not-found. */
  getDevice(scope: Scope, id: number): Promise<Device>
  /** The devices of `ids`, in the order given. Throws device.not-found for an unknown or foreign id. */
  getDevices(scope: Scope, ids: readonly number[]): Promise<Device[]>
  /** Those of `ids` that there are and the scope covers, in any order. */
  findDevices(scope: Scope, ids: readonly number[]): Promise<Device[]>
  /** What rows of devices are labelled with, whoever asks: who may see the rows was found before. */
  listLabels(ids: readonly number[]): Promise<DeviceLabel[]>
}

const withoutAbilities = (device: StoredDevice): Device => ({ ...device, abilities: [] })

export const createDevicesService = (store: DeviceStore): DevicesService => ({
  async listDevices(scope, paths, kinds, limiter) {
    const { rows, total } = await store.list(scope, { paths, kinds, use: 'in-use', limiter })
    return { datalist: rows.map(withoutAbilities), total }
  },

  listDeviceIds: (scope, paths, kinds, limiter) =>
    store.listIds(scope, { paths, kinds, use: 'in-use', limiter }),

  async search(scope, query) {
    const { rows, total } = await store.list(scope, query)
    return { datalist: rows.map(withoutAbilities), total }
  },

  async getNamed(scope, names) {
    const found = await store.findNamed(scope, names)
    const listed = new Set<StoredDevice>()
    for (const name of names) {
      const named = found.filter(({ imei, radioImei }) => imei === name || radioImei === name)
      if (named.length === 0) throw new AppError('device.not-found')
      for (const device of named) listed.add(device)
    }
    return [...listed].map(withoutAbilities)
  },

  findNamed: async (scope, name) => (await store.findNamed(scope, [name])).map(withoutAbilities),

  isTaken: (name, where) => store.isTaken(name, where),

  async getDevice(scope, id) {
    const [device] = await store.find(scope, [id])
    if (!device) throw new AppError('device.not-found')
    return withoutAbilities(device)
  },

  async getDevices(scope, ids) {
    const byId = new Map((await store.find(scope, ids)).map((device) => [device.id, device]))
    return ids.map((id) => {
      const device = byId.get(id)
      if (!device) throw new AppError('device.not-found')
      return withoutAbilities(device)
    })
  },

  findDevices: async (scope, ids) => (await store.find(scope, ids)).map(withoutAbilities),
  listLabels: store.listLabels,
})
