import type { GatewayName } from '@isotherm/contract/mqtt'
import type { Cell } from '../../platform/cell/cell.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { Log } from '../../platform/log.ts'
import type { GatewayAccess } from '../../platform/mqtt/gateway-access.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import type { Scope } from '../../platform/scope/scope.ts'
import type { ServerModule, ServerResources } from '../../platform/server-module.ts'
import type { Signals } from '../../platform/signals/signals.ts'
import type { Removal } from '../../platform/tasks/pruning.ts'
import type { DevicesOfTree, NetworkService } from '../network/index.ts'
import { createControlHandlers, type HasSchedule } from './control/control-handlers.ts'
import { type ControlService, createControlService } from './control/control-service.ts'
import { listSwitchedOff } from './control/control-store.pg.ts'
import { createDeviceGroupsService, type DeviceGroupsService } from './control/group-service.ts'
import { createDirectory, type DeviceDirectory } from './directory/directory.ts'
import { createDirectoryReader } from './directory/read-directory.pg.ts'
import { createGatewayConfigHandlers } from './gateways/gateway-configs.ts'
import {
  type FoundGateway,
  getConfigurable,
  getGateway,
  type NamedGateway,
  requireReadableConfig,
} from './gateways/get-gateway.pg.ts'
import { listRadioDevices } from './gateways/radio-devices.pg.ts'
import { createDevicesHandlers } from './handlers.ts'
import { countDevices, listControllers } from './lists/device-lists.pg.ts'
import { createDeviceSelector, type DeviceSelector } from './lists/device-selector.pg.ts'
import { searchDevices } from './lists/search.pg.ts'
import { createDevicesService, type DevicesService } from './lists/service.ts'
import { createConnectionTokens } from './logins/connection-tokens.ts'
import { createFindAccess } from './logins/find-access.pg.ts'
import { createGatewayLoginHandlers } from './logins/gateway-logins.ts'
import { removeRefusals, storeRefusals } from './logins/refusal-store.pg.ts'
import { createRefusals } from './logins/refusals.ts'
import { devicesMigrations } from './migrations.pg.ts'
import { createProfileHandlers } from './profiles/profile-handlers.ts'
import { createDeviceProfilesService, type DeviceProfilesService } from './profiles/profile-service.ts'
import { createDevicesReferences } from './references.pg.ts'
import { createModelHandlers } from './registry/model-handlers.ts'
import { createDeviceModelsService, type DeviceModelsService } from './registry/model-service.ts'
import { createRegistryHandlers } from './registry/registry-handlers.ts'
import { createRegistryService, type RegistryService } from './registry/registry-service.ts'
import type { FindWithReadings } from './registry/remove-devices.pg.ts'
import { createUnregisteredHandlers } from './unregistered/unregistered-handlers.ts'
import { createUnregisteredRecorder } from './unregistered/unregistered-recorder.ts'
import { removeUnregistered, storeUnregistered } from './unregistered/unregistered-store.pg.ts'

export { raiseCommandRevs } from './control/command-revs.pg.ts'
export { type LastOpening, recordOpenings } from './control/control-openings.pg.ts'
export type { DeviceGroupsService } from './control/group-service.ts'
export type { DeviceDirectory, DirectoryEntry, PlacedListener } from './directory/directory.ts'
export {
  DEVICES_PER_SLICE,
  type DeviceRange,
  devicesBelow,
  findOwnRange,
  findRange,
  type OrderedDevices,
} from './directory/ordered-devices.ts'
export { parseRegistryFile } from './import/import-registry.ts'
export { importRegistryFile } from './import/import-registry-file.pg.ts'
export type { ColumnOrder } from './lists/device-query.ts'
export { type DeviceSelection, type DeviceSelector, isDeviceColumn } from './lists/device-selector.pg.ts'
export type { DevicesService } from './lists/service.ts'
export type { ConnectionTokens } from './logins/connection-tokens.ts'
export { mayManage, toAbilities } from './policy.ts'
export { readModelMetrics, readProfileMetrics } from './profiles/profile-metrics.pg.ts'
export type { Retiring } from './registry/registry-service.ts'
export type { UnregisteredReport } from './unregistered/unregistered-report.ts'

export interface Devices {
  readonly service: DevicesService
  readonly directory: DeviceDirectory
  /** Changes the registry. */
  readonly changes: RegistryService
  readonly models: DeviceModelsService
  readonly profiles: DeviceProfilesService
  readonly control: ControlService
  readonly groups: DeviceGroupsService
  /** Selects the devices whose newest values are read. */
  readonly selector: DeviceSelector
  /** Those of `ids` that take no commands: they are control devices, and all of these are disabled. */
  readonly listSwitchedOff: (ids: readonly number[]) => Promise<readonly number[]>
  /**
   * Those of `ids` that listen only after a report of their own: their gateway reaches them over a radio network. For each,
   * whether its configuration states that; otherwise it is assumed.
   */
  readonly listRadioDevices: (ids: readonly number[]) => Promise<ReadonlyMap<number, boolean>>
  /** The number of devices in use below each path that the scope covers, by path. */
  readonly countDevices: (scope: Scope, paths: readonly string[]) => Promise<ReadonlyMap<string, number>>
  /** Ids of the station controllers in use, ascending, by node. Nodes without one are absent. Checks no scope. */
  readonly listControllers: (nodeIds: readonly number[]) => Promise<ReadonlyMap<number, readonly number[]>>
  /** See get-gateway.pg.ts. */
  readonly getGateway: (scope: Scope, named: NamedGateway) => Promise<FoundGateway>
  /** See get-gateway.pg.ts. */
  readonly getConfigurable: (caller: Caller, id: number) => Promise<FoundGateway>
  /** See get-gateway.pg.ts. */
  readonly requireReadableConfig: (caller: Caller, configId: string) => Promise<void>
  /** Finds devices by serial, IMEI and meter number, best match first. */
  readonly searchDevices: DevicesOfTree['searchDevices']
  /** Whether a gateway may sign in to the embedded broker, and with which version of its password. */
  readonly findAccess: (gateway: GatewayName) => Promise<GatewayAccess>
}

export async function createDevices(
  db: Database,
  signals: Signals,
  clock: Clock,
  log: Log,
  cell?: Cell,
): Promise<Devices> {
  const directory = await createDirectory(createDirectoryReader(db, cell), signals, clock, log)
  const source = { db, countBelow: directory.countBelow }
  return {
    service: createDevicesService(source),
    directory,
    changes: createRegistryService(db),
    models: createDeviceModelsService(db),
    profiles: createDeviceProfilesService(db),
    control: createControlService(db),
    groups: createDeviceGroupsService(db),
    selector: createDeviceSelector(source),
    listSwitchedOff: (ids) => listSwitchedOff(db, ids),
    listRadioDevices: (ids) => listRadioDevices(db, ids),
    countDevices: (scope, paths) => countDevices(source, scope, paths),
    listControllers: (nodeIds) => listControllers(db, nodeIds),
    searchDevices: (field, text, limits) => searchDevices(db, field, text, limits),
    getGateway: (scope, named) => getGateway(db, scope, named),
    getConfigurable: (caller, id) => getConfigurable(db, caller, id),
    requireReadableConfig: (caller, configId) => requireReadableConfig(db, caller, configId),
    findAccess: createFindAccess(db, directory, cell),
  }
}

export interface DevicesDependencies
  extends Pick<ServerResources, 'db' | 'config' | 'broker' | 'clock' | 'log'> {
  readonly devices: Devices
  readonly network: NetworkService
  readonly findWithReadings: FindWithReadings
  readonly hasSchedule: HasSchedule
}

/** The registry of devices, device models, control devices and device groups. */
export const devicesModule = {
  migrations: devicesMigrations,
  create({
    db,
    config,
    broker,
    clock,
    log,
    devices,
    network,
    findWithReadings,
    hasSchedule,
  }: DevicesDependencies) {
    const refusals = createRefusals({ clock, log, store: (given) => storeRefusals(db, given) })
    const tokens = createConnectionTokens({ db, clock, log })
    const unregistered = createUnregisteredRecorder({
      clock,
      log,
      store: (reports) => storeUnregistered(db, reports),
    })
    const removals: Readonly<Record<string, Removal>> = {
      'refused gateways': (before, limit) => removeRefusals(db, before, limit),
      'unregistered devices': (before, limit) => removeUnregistered(db, before, limit),
    }
    return {
      recordRefusal: refusals.record,
      tokens,
      recordUnregistered: unregistered.record,
      removals,
      close: async () => {
        await Promise.all([refusals.close(), unregistered.close(), tokens.close()])
      },
      handlers: {
        ...createDevicesHandlers(devices.service, network),
        ...createRegistryHandlers({
          devices: devices.service,
          changes: devices.changes,
          network,
          findWithReadings,
          directory: devices.directory,
        }),
        ...createGatewayConfigHandlers(db),
        ...createUnregisteredHandlers(db, devices.service, devices.directory),
        ...createGatewayLoginHandlers({
          db,
          secret: config.mqtt.secret,
          broker,
          network,
          directory: devices.directory,
        }),
        ...createModelHandlers(devices.models),
        ...createProfileHandlers(devices.profiles),
        ...createControlHandlers(devices.control, devices.groups, hasSchedule),
      },
      references: createDevicesReferences(db, devices.directory),
    }
  },
} satisfies ServerModule
