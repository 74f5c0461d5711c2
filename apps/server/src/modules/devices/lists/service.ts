import type { Device, DeviceKind } from '@isotherm/contract/devices'
import type { EarlierDevice } from '@isotherm/contract/endpoints/monitoring/history'
import type { Limiter } from '@isotherm/contract/filter'
import { AppError } from '../../../platform/app-error.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import {
  type CompanyOfNumber,
  type DeviceSource,
  findDevices,
  findNamedDevices,
  isNumberTaken,
  listDeviceIds,
  listDeviceLabels,
  listDevices,
} from './device-lists.pg.ts'
import type { DeviceLabel, DeviceQuery, StoredDevice } from './device-query.ts'
import { listReplaced } from './replaced.pg.ts'

export interface DevicePage {
  readonly datalist: Device[]
  readonly total: number
}

/** Reads the device registry. `abilities` in its answers are empty: the handler fills them in for the caller. */
export interface DevicesService {
  /** Devices in use of `kinds` below `paths` (of NetworkService.resolveNodes), in tree order. */
  listDevices(
    scope: Scope,
    paths: readonly string[],
    kinds: readonly DeviceKind[],
    limiter: Limiter,
  ): Promise<DevicePage>
  /** The same list, only the ids: for stores that hold rows by device. */
  listDeviceIds(
    scope: Scope,
    paths: readonly string[],
    kinds: readonly DeviceKind[],
    limiter: Limiter,
  ): Promise<{ readonly ids: number[]; readonly total: number }>
  /** Devices that a query selects, in tree order. Includes retired ones unless `use` excludes them. */
  search(scope: Scope, query: DeviceQuery): Promise<DevicePage>
  /** Every device that has one of the serials or IMEIs, in the order given. Throws device.not-found. */
  getNamed(scope: Scope, names: readonly string[]): Promise<Device[]>
  /** Devices that have this serial or IMEI. Empty if there are none. */
  findNamed(scope: Scope, name: string): Promise<Device[]>
  /** Whether any device has this serial or IMEI. */
  isTaken(name: string, where: CompanyOfNumber): Promise<boolean>
  /** Throws device.not-found. */
  getDevice(scope: Scope, id: number): Promise<Device>
  /**
   * The devices of `ids`, in the order given. A caller inside a transaction gives it as the reader: two connections for one piece of
   * work can exhaust the pool. Throws device.not-found for an unknown or foreign id.
   */
  getDevices(scope: Scope, ids: readonly number[], reader?: Database): Promise<Device[]>
  /** Those of `ids` that exist and that the scope covers, in no order. */
  findDevices(scope: Scope, ids: readonly number[]): Promise<Device[]>
  /** The devices of the scope that were replaced by those of `ids`, directly or in turn, in no order. */
  listReplaced(scope: Scope, ids: readonly number[]): Promise<EarlierDevice[]>
  /** Labels for rows about devices. Checks no scope: the caller has checked who may see the rows. */
  listLabels(ids: readonly number[]): Promise<DeviceLabel[]>
}

const withEmptyAbilities = (device: StoredDevice): Device => ({ ...device, abilities: [] })

export const createDevicesService = (source: DeviceSource): DevicesService => ({
  async listDevices(scope, paths, kinds, limiter) {
    const { rows, total } = await listDevices(source, scope, { paths, kinds, use: 'in-use', limiter })
    return { datalist: rows.map(withEmptyAbilities), total }
  },

  listDeviceIds: (scope, paths, kinds, limiter) =>
    listDeviceIds(source, scope, { paths, kinds, use: 'in-use', limiter }),

  async search(scope, query) {
    const { rows, total } = await listDevices(source, scope, query)
    return { datalist: rows.map(withEmptyAbilities), total }
  },

  async getNamed(scope, names) {
    const found = await findNamedDevices(source.db, scope, names)
    const listed = new Set<StoredDevice>()
    for (const name of names) {
      const named = found.filter(({ imei, radioImei }) => imei === name || radioImei === name)
      if (named.length === 0) throw new AppError('device.not-found')
      for (const device of named) listed.add(device)
    }
    return [...listed].map(withEmptyAbilities)
  },

  findNamed: async (scope, name) =>
    (await findNamedDevices(source.db, scope, [name])).map(withEmptyAbilities),

  isTaken: (name, where) => isNumberTaken(source.db, name, where),

  async getDevice(scope, id) {
    const [device] = await findDevices(source.db, scope, [id])
    if (!device) throw new AppError('device.not-found')
    return withEmptyAbilities(device)
  },

  async getDevices(scope, ids, reader = source.db) {
    const byId = new Map((await findDevices(reader, scope, ids)).map((device) => [device.id, device]))
    return ids.map((id) => {
      const device = byId.get(id)
      if (!device) throw new AppError('device.not-found')
      return withEmptyAbilities(device)
    })
  },

  findDevices: async (scope, ids) => (await findDevices(source.db, scope, ids)).map(withEmptyAbilities),
  listReplaced: (scope, ids) => listReplaced(source.db, scope, ids),
  listLabels: (ids) => listDeviceLabels(source.db, ids),
})
