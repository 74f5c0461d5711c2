import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import type { Scope } from '../../platform/scope/scope.ts'
import type { Signals } from '../../platform/signals/signals.ts'
import type { DevicesOfTree } from '../network/index.ts'
import { type ControlService, createControlService } from './control/control-service.ts'
import { listSwitchedOff } from './control/control-store.pg.ts'
import { createDeviceGroupsService, type DeviceGroupsService } from './control/group-service.ts'
import { createDirectory, type DeviceDirectory } from './directory/directory.ts'
import { createDirectoryReader } from './directory/read-directory.pg.ts'
import { createDeviceStore } from './lists/device-lists.pg.ts'
import { createRealDevices, type RealDevices } from './lists/real-devices.pg.ts'
import { searchDevices } from './lists/search.pg.ts'
import { createDevicesService, type DevicesService } from './lists/service.ts'
import { createDeviceModelsService, type DeviceModelsService } from './registry/model-service.ts'
import { createRegistryService, type RegistryService } from './registry/registry-service.ts'

export { takeCommandRevs } from './control/command-revs.pg.ts'
export { createControlHandlers } from './control/control-handlers.ts'
export { type LastOpening, noteOpenings } from './control/control-openings.pg.ts'
export type { DeviceGroupsService } from './control/group-service.ts'
export type { DeviceDirectory, DirectoryEntry, PlacedListener } from './directory/directory.ts'
export { createDevicesHandlers } from './handlers.ts'
export { importRegistry } from './import/import-registry.ts'
export { importRegistryFile } from './import/import-registry-file.pg.ts'
export type { ColumnOrder } from './lists/device-query.ts'
export { type DeviceSelection, isDeviceColumn, type RealDevices } from './lists/real-devices.pg.ts'
export type { DevicesService } from './lists/service.ts'
export { devicesMigrations } from './migrations.pg.ts'
export { mayManage, toAbilities } from './policy.ts'
export { createDevicesReferences } from './references.pg.ts'
export { createModelHandlers } from './registry/model-handlers.ts'
export { createRegistryHandlers } from './registry/registry-handlers.ts'
export type { Retiring } from './registry/registry-service.ts'

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
