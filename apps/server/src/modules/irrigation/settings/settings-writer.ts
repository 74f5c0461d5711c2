import {
  type IrrigationGroupSettings,
  type IrrigationSourceSettings,
  MAX_GROUPS,
  MAX_PROGRAMS,
  MAX_SOURCES,
  partOfSetting,
  type SensorPart,
} from '@isotherm/contract/irrigation'
import type { EntityName } from '@isotherm/contract/locales/error-param'
import type { Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { lockVersion } from '../../../platform/operation/lock-version.pg.ts'
import { scopeOfEverything } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { DevicesService } from '../../devices/index.ts'
import { isEnabled } from '../field.ts'
import { listOwnDevices, mayControlValves } from '../policy.ts'
import { requirePosition } from '../position.ts'
import { forgetReplaced, listSensors } from '../sensors/choose-sensors.ts'
import { type HasReported, readParts } from '../sensors/sensor-parts.ts'
import {
  areBelow,
  countBeside,
  findElsewhere,
  findPlace,
  listSources,
  lockDevices,
  lockSource,
  type SettingsWrite,
  type StoredSource,
  writeSettings,
} from '../storage/sources.pg.ts'
import { findHeatingDevice } from '../storage/watering.pg.ts'
import { replaceMaster, requireNoMaster } from './master-settings.ts'

export const entities = {
  irrigation_source: 'irrigation-source',
  irrigation_group: 'irrigation-group',
  irrigation_program: 'irrigation-program',
} as const satisfies Record<SettingsWrite['table'], EntityName>

/** A new row, or the version of an existing one on which a change is based. */
type Edited = { readonly id?: number | undefined; readonly version?: number | undefined }

/** Rights of the account that writes. */
export type SettingsCaller = Pick<Caller, 'scope' | 'permissions'>

export interface SourceWrite extends Edited {
  /** Path of its node. */
  readonly path: string
  readonly stored: StoredSource | undefined
  readonly settings: IrrigationSourceSettings
}

export interface GroupWrite extends Edited {
  readonly source: StoredSource
  readonly settings: IrrigationGroupSettings
}

/** Settings of a source or of a group. */
interface Chosen {
  readonly settings: IrrigationSourceSettings | IrrigationGroupSettings
}

/** The sensors and the controller that settings name. */
const listChosen = ({ settings }: Chosen): readonly (number | undefined)[] =>
  'valves' in settings
    ? (settings.probeIds ?? [])
    : [settings.stationId, ...listSensors(settings).map(({ deviceId }) => deviceId)]

const limits = {
  irrigation_source: MAX_SOURCES,
  irrigation_group: MAX_GROUPS,
  irrigation_program: MAX_PROGRAMS,
} as const satisfies Record<SettingsWrite['table'], number>

/** Writes a row, based on a version if it exists. Throws entity.stale; irrigation.too-many for a new row. */
export async function writeVersion(
  transaction: Transaction<Tables>,
  table: SettingsWrite['table'],
  { id, version }: Edited,
  values: SettingsWrite['values'],
): Promise<number> {
  if (id !== undefined) await lockVersion(transaction, { table, entity: entities[table], id, version })
  else if ((await countBeside(transaction, { table, values })) >= limits[table])
    throw new AppError('irrigation.too-many', { what: entities[table], limit: limits[table] })
  return writeSettings(transaction, { table, id, values })
}

/** Checks and writes sources and groups in a transaction: that of a call, or of the import of a workbook. */
export function createSettingsWriter({
  clock,
  devices,
  hasReported,
}: {
  readonly clock: Clock
  readonly hasReported: HasReported
  readonly devices: Pick<DevicesService, 'getDevices'>
}) {
  /**
   * Throws unless devices are granted sensors in use below the node of a source. An account that sees the source sees all
   * devices there, so nobody learns of a sensor by its source. A sensor that it has already, and that was moved away, is named.
   * `before`: sensors that it has.
   */
  async function checkSensors(
    transaction: Transaction<Tables>,
    { scope }: Pick<SettingsCaller, 'scope'>,
    path: string,
    ids: readonly number[],
    before: readonly number[],
  ): Promise<void> {
    const known = [...new Set(ids)]
    const own = known.filter((id) => before.includes(id))
    const device = await findElsewhere(transaction, path, own)
    if (device !== undefined) throw new AppError('irrigation.sensor-elsewhere', { device })
    for (const device of await devices.getDevices(scope, known, transaction)) {
      if (device.kind !== 'sensor') throw new AppError('device.not-controllable', { device: device.name })
      if (device.use === 'retired') throw new AppError('device.retired', { device: device.name })
    }
    if (!(await areBelow(transaction, path, known))) throw new AppError('device.not-found')
  }

  /** Throws irrigation.sensor-unsuited if a newly chosen sensor does not report what it is there for, as far as that is known. */
  async function requireSuited(
    transaction: Transaction<Tables>,
    chosen: readonly { readonly deviceId: number; readonly part: SensorPart }[],
  ): Promise<void> {
    const parts = await readParts(
      transaction,
      hasReported,
      chosen.map(({ deviceId }) => deviceId),
    )
    for (const { deviceId, part } of chosen) {
      if (parts.get(deviceId)?.includes(part) !== false) continue
      const [device] = await devices.getDevices(scopeOfEverything, [deviceId], transaction)
      throw new AppError('irrigation.sensor-unsuited', { device: device?.name ?? String(deviceId), part })
    }
  }

  /** Throws unless the master valve and the controller of a source are devices of the right kind below its node. */
  async function checkDevices(
    transaction: Transaction<Tables>,
    { scope }: SettingsCaller,
    { path, settings, stored }: SourceWrite,
  ): Promise<readonly number[]> {
    const { masterId, stationId } = settings
    const idsOf = (each: IrrigationSourceSettings) => listSensors(each).map(({ deviceId }) => deviceId)
    await checkSensors(transaction, { scope }, path, idsOf(settings), stored ? idsOf(stored.settings) : [])
    const added = listSensors(settings).filter(
      ({ setting, deviceId }) => stored?.settings[setting] !== deviceId,
    )
    await requireSuited(
      transaction,
      added.map(({ setting, deviceId }) => ({ deviceId, part: partOfSetting[setting] })),
    )
    const ids = [masterId, stationId].filter((one) => one !== undefined)
    for (const device of await devices.getDevices(scope, ids, transaction)) {
      const kind = device.id === masterId ? 'valve' : 'station'
      if (device.kind !== kind) throw new AppError('device.not-controllable', { device: device.name })
    }
    if (!(await areBelow(transaction, path, ids))) throw new AppError('device.not-found')
    return ids
  }

  /**
   * A source commands its devices in the name of its last editor, without regard to the limits and holds of heating.
   * So a caller without control of valves must not choose devices of heating. Devices that the source already has are
   * accepted: somebody with the right chose them. Throws irrigation.heating-valve, irrigation.heat-station.
   */
  async function requireForWater(
    transaction: Transaction<Tables>,
    caller: SettingsCaller,
    stored: StoredSource | undefined,
    ids: readonly number[],
  ): Promise<void> {
    if (mayControlValves(caller)) return
    const known = new Set(stored ? listOwnDevices(stored) : [])
    const found = await findHeatingDevice(
      transaction,
      ids.filter((id) => !known.has(id)),
    )
    if (!found) return
    const code = found.kind === 'valve' ? 'irrigation.heating-valve' : 'irrigation.heat-station'
    throw new AppError(code, { device: found.name })
  }

  /** Throws what `writeSource` would throw. Returns the columns of a new master valve and of new sensors. */
  async function checkSource(transaction: Transaction<Tables>, caller: SettingsCaller, write: SourceWrite) {
    const { path, stored, settings } = write
    const enabled = stored?.programs.filter(isEnabled) ?? []
    const place = enabled.length > 0 ? await findPlace(transaction, path) : null
    for (const program of enabled) requirePosition({ settings, place }, program.settings.plan)
    const ids = await checkDevices(transaction, caller, write)
    await requireForWater(transaction, caller, stored, ids)
    return {
      ...(await replaceMaster(transaction, stored, settings.masterId)),
      ...(stored ? forgetReplaced(stored.settings, settings) : {}),
    }
  }

  /** Throws what `writeGroup` would throw. */
  async function checkGroup(
    transaction: Transaction<Tables>,
    caller: SettingsCaller,
    { source, settings: { valves, probeIds = [] } }: GroupWrite,
  ): Promise<void> {
    const { path, settings } = source
    const ids = valves.map(({ deviceId }) => deviceId)
    if (new Set(probeIds).size < probeIds.length)
      throw new AppError('request.malformed', { detail: 'probeIds: a device is listed twice' })
    const before = source.groups.flatMap((group) => group.settings.probeIds ?? [])
    await checkSensors(transaction, caller, path, probeIds, before)
    const added = probeIds.filter((id) => !before.includes(id))
    await requireSuited(
      transaction,
      added.map((deviceId) => ({ deviceId, part: 'probe' as const })),
    )
    if (new Set(ids).size < ids.length)
      throw new AppError('request.malformed', { detail: 'valves: a device is listed twice' })
    for (const device of await devices.getDevices(caller.scope, ids, transaction)) {
      if (device.id === settings.masterId)
        throw new AppError('irrigation.valve-used', { device: device.name })
      if (device.kind !== 'valve') throw new AppError('device.not-controllable', { device: device.name })
    }
    // The caller may water all valves below the source's node.
    if (!(await areBelow(transaction, path, ids))) throw new AppError('device.not-found')
    await requireForWater(transaction, caller, source, ids)
    await requireNoMaster(transaction, source.id, ids)
  }

  /** The granted source of a name at the node with this path; the oldest, if there are several. */
  async function findSource(
    transaction: Transaction<Tables>,
    { scope }: SettingsCaller,
    path: string,
    name: string,
  ): Promise<StoredSource | undefined> {
    const [oldest] = await listSources(transaction, scope, { named: { path, name } })
    return oldest
  }

  return {
    checkSource,
    checkGroup,
    findSource,

    /** Locks the sensors and the controller that settings name. Call it before a source is locked. */
    lockChosen: (
      transaction: Transaction<Tables>,
      { scope }: Pick<SettingsCaller, 'scope'>,
      write: Chosen,
    ): Promise<void> => lockDevices(transaction, scope, listChosen(write)),

    /** The same for devices of several sources or groups. */
    lockDevices,

    /** Finds a source as it is once no run can start and its master valve does not change until the end of the transaction. */
    async lockSource(
      transaction: Transaction<Tables>,
      caller: SettingsCaller,
      path: string,
      name: string,
    ): Promise<StoredSource | undefined> {
      const found = await findSource(transaction, caller, path, name)
      if (found) await lockSource(transaction, found.id)
      return found && findSource(transaction, caller, path, name)
    },

    /** The transaction has locked a stored source. Returns its id. */
    async writeSource(
      transaction: Transaction<Tables>,
      caller: SettingsCaller,
      write: SourceWrite,
    ): Promise<number> {
      const { id, path, settings } = write
      const columns = await checkSource(transaction, caller, write)
      return writeVersion(transaction, 'irrigation_source', write, {
        node_id: Number(path.split('/').at(-2)),
        settings,
        ...columns,
        ...(id === undefined ? { planned_ms: clock.now() } : {}),
      })
    },

    async writeGroup(
      transaction: Transaction<Tables>,
      caller: SettingsCaller,
      write: GroupWrite,
    ): Promise<number> {
      await checkGroup(transaction, caller, write)
      const { source, settings } = write
      return writeVersion(transaction, 'irrigation_group', write, { source_id: source.id, settings })
    },
  }
}

export type SettingsWriter = ReturnType<typeof createSettingsWriter>
