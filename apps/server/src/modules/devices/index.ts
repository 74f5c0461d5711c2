import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.pg.ts'
import type { Log } from '../../platform/log.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Signals } from '../../platform/signals.ts'
import type { DevicesOfTree } from '../network/index.ts'
import { type ControlService, createControlService } from './control-service.ts'
import { listSwitchedOff } from './control-store.pg.ts'
import { createDirectory, type DeviceDirectory } from './directory.ts'
import { createDeviceGroupsService, type DeviceGroupsService } from './group-service.ts'
import { createDeviceModelsService, type DeviceModelsService } from './model-service.ts'
import { createDirectoryReader } from './read-directory.pg.ts'
import { createRealDevices, type RealDevices } from './real-devices.pg.ts'
import { createRegistryService, type RegistryService } from './registry-service.ts'
import { searchDevices } from './search.pg.ts'
import { createDevicesService, type DevicesService } from './service.ts'
import { createDeviceStore } from './store.pg.ts'

export { takeCommandRevs } from './command-revs.pg.ts'
export { createControlHandlers } from './control-handlers.ts'
export { type LastOpening, noteOpenings } from './control-openings.pg.ts'
export type { DeviceDirectory, DirectoryEntry, PlacedListener } from './directory.ts'
export type { DeviceGroupsService } from './group-service.ts'
export { createDevicesHandlers } from './handlers.ts'
export { importRegistry } from './import-registry.ts'
export { importRegistryFile } from './import-registry-file.pg.ts'
export { devicesMigrations } from './migrations.pg.ts'
export { createModelHandlers } from './model-handlers.ts'
export { mayManage, toAbilities } from './policy.ts'
export { type DeviceSelection, isDeviceColumn, type RealDevices } from './real-devices.pg.ts'
export { createDevicesReferences } from './references.pg.ts'
export { createRegistryHandlers } from './registry-handlers.ts'
export type { Retiring } from './registry-service.ts'
export type { DevicesService } from './service.ts'
export type { ColumnOrder } from './store.ts'

export interface Devices {
  readonly service: DevicesService
  readonly directory: DeviceDirectory
  /** Changes of the registry. */
  readonly changes: RegistryService
  readonly models: DeviceModelsService
  readonly control: ControlService
  readonly groups: DeviceGroupsService
  /** Which devices newest values are asked of. */
  readonly real: RealDevices
  /** Those of the devices that take no commands: they are control devices, every one of which is off. */
  readonly listSwitchedOff: (ids: readonly number[]) => Promise<readonly number[]>
  /** Devices the scope covers below each path, by path. */
  readonly countDevices: (scope: Scope, paths: readonly string[]) => Promise<ReadonlyMap<string, number>>
  /** Ids of the station controllers in use on each of the nodes that have any, in their order, whoever asks. */
  readonly listControllers: (nodeIds: readonly number[]) => Promise<ReadonlyMap<number, readonly number[]>>
  /** Devices by serial, IMEI and meter number, best first. */
  readonly searchDevices: DevicesOfTree['searchDevices']
}

export async function createDevices(
  db: Database,
  signals: Signals,
  clock: Clock,
  log: Log,
): Promise<Devices> {
  const directory = await createDirectory(createDirectoryReader(db), signals, clock, log)
  const store = createDeviceStore(db, directory.countBelow)
  return {
    service: createDevicesService(store),
    directory,
    changes: createRegistryService(db),
    models: createDeviceModelsService(db),
    control: createControlService(db),
    groups: createDeviceGroupsService(db),
    real: createRealDevices(db, store),
    listSwitchedOff: (ids) => listSwitchedOff(db, ids),
    countDevices: (scope, paths) => store.count(scope, paths),
    listControllers: (nodeIds) => store.listControllers(nodeIds),
    searchDevices: (field, text, limits) => searchDevices(db, field, text, limits),
  }
}
