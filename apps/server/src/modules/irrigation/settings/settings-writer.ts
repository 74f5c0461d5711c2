import type { IrrigationGroupSettings, IrrigationSourceSettings } from '@isotherm/contract/irrigation'
import type { EntityName } from '@isotherm/contract/locales/error-param'
import type { Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { lockVersion } from '../../../platform/operation/lock-version.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { DevicesService } from '../../devices/index.ts'
import { listOwnDevices, mayControlValves } from '../policy.ts'
import {
  areBelow,
  listSources,
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

/** Writes a row, based on a version if it exists. Throws entity.stale. */
export async function writeVersion(
  transaction: Transaction<Tables>,
  table: SettingsWrite['table'],
  { id, version }: Edited,
  values: SettingsWrite['values'],
): Promise<number> {
  if (id !== undefined) await lockVersion(transaction, { table, entity: entities[table], id, version })
  return writeSettings(transaction, { table, id, values })
}

/** Checks and writes sources and groups in a transaction: that of a call, or of the import of a workbook. */
export function createSettingsWriter({
  clock,
  devices,
}: {
  readonly clock: Clock
  readonly devices: Pick<DevicesService, 'getDevices'>
}) {
  /** Throws unless the master valve and the controller of a source are devices of the right kind below its node. */
  async function checkDevices(
    transaction: Transaction<Tables>,
    { scope }: SettingsCaller,
    { path, settings: { masterId, stationId } }: SourceWrite,
  ): Promise<readonly number[]> {
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

  /** Throws what `writeSource` would throw. Returns the columns of a new master valve. */
  async function checkSource(transaction: Transaction<Tables>, caller: SettingsCaller, write: SourceWrite) {
    const { stored, settings } = write
    const ids = await checkDevices(transaction, caller, write)
    await requireForWater(transaction, caller, stored, ids)
    return replaceMaster(transaction, stored, settings.masterId)
  }

  /** Throws what `writeGroup` would throw. */
  async function checkGroup(
    transaction: Transaction<Tables>,
    caller: SettingsCaller,
    { source, settings: { valves } }: GroupWrite,
  ): Promise<void> {
    const { path, settings } = source
    const ids = valves.map(({ deviceId }) => deviceId)
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
      const master = await checkSource(transaction, caller, write)
      return writeVersion(transaction, 'irrigation_source', write, {
        node_id: Number(path.split('/').at(-2)),
        settings,
        ...master,
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
