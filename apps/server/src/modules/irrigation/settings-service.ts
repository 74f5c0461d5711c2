import type { InputOf } from '@isotherm/contract/endpoint'
import type {
  setIrrigationGroup,
  setIrrigationProgram,
  setIrrigationSource,
} from '@isotherm/contract/endpoints/control/irrigation'
import type { IrrigationSource } from '@isotherm/contract/irrigation'
import type { EntityName } from '@isotherm/contract/locales/error-param'
import type { Transaction } from 'kysely'
import { AppError } from '../../platform/app-error.ts'
import type { Call } from '../../platform/http/call.ts'
import { lockVersion } from '../../platform/operation/lock-version.pg.ts'
import { operate } from '../../platform/operation/operate.pg.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import type { Tables } from '../../platform/tables.ts'
import type { DevicesService } from '../devices/index.ts'
import { getLocatedNode } from '../network/index.ts'
import { replaceMaster, requireMasterClosed, requireNoMaster } from './master-settings.ts'
import { listOwnDevices, mayControlValves } from './policy.ts'
import { type IrrigationService, type IrrigationServiceNeeds, requireFewParts } from './service.ts'
import { listActiveRuns } from './storage/runs.pg.ts'
import {
  areBelow,
  findSourceId,
  listSources,
  lockSource,
  planFromNow,
  removeRow,
  type SettingsWrite,
  type StoredSource,
  writeSettings,
} from './storage/sources.pg.ts'
import { findHeatingDevice } from './storage/watering.pg.ts'

const entities = {
  irrigation_source: 'irrigation-source',
  irrigation_group: 'irrigation-group',
  irrigation_program: 'irrigation-program',
} as const satisfies Record<SettingsWrite['table'], EntityName>

/** What a change of settings needs of its call. */
export type SettingsCall = Pick<Call, 'caller' | 'operation'>

type Edited = { readonly id?: number | undefined; readonly version?: number | undefined }

/** Settings of sources, groups and programs. */
export function createSettingsService(
  needs: Pick<IrrigationServiceNeeds, 'db' | 'clock' | 'wake'> & {
    readonly devices: Pick<DevicesService, 'getDevices'>
    readonly irrigation: IrrigationService
  },
) {
  const { db, clock, devices, irrigation } = needs

  async function getStored(
    { caller: { scope } }: SettingsCall,
    id: number | undefined,
    reader: Database | Transaction<Tables> = db,
  ): Promise<StoredSource> {
    const [source] = id === undefined ? [] : await listSources(reader, scope, { ids: [id] })
    if (!source) throw new AppError('irrigation.not-found')
    return source
  }

  /**
   * Locks a source until the end of the transaction, so that no run starts and its master valve does not change.
   * Returns it.
   */
  async function getLocked(
    transaction: Transaction<Tables>,
    call: SettingsCall,
    id: number,
  ): Promise<StoredSource> {
    await lockSource(transaction, id)
    return getStored(call, id, transaction)
  }

  /** Writes a row, based on a version if it exists. Throws entity.stale. */
  async function write(
    transaction: Transaction<Tables>,
    table: SettingsWrite['table'],
    { id, version }: Edited,
    values: SettingsWrite['values'],
  ): Promise<number> {
    if (id !== undefined) await lockVersion(transaction, { table, entity: entities[table], id, version })
    return writeSettings(transaction, { table, id, values })
  }

  /** Throws irrigation.not-found unless the edited row belongs to the source that the call names. */
  async function checkSource(
    table: 'irrigation_group' | 'irrigation_program',
    id: number | undefined,
    sourceId: number,
  ) {
    if (id === undefined) return
    if ((await findSourceId(db, table, id)) !== sourceId) throw new AppError('irrigation.not-found')
  }

  /** Throws unless the master valve and the controller of a source are devices of the right kind below its node. */
  async function checkDevices(
    call: SettingsCall,
    path: string,
    { settings: { masterId, stationId } }: InputOf<typeof setIrrigationSource>,
  ): Promise<void> {
    const ids = [masterId, stationId].filter((one) => one !== undefined)
    for (const device of await devices.getDevices(call.caller.scope, ids)) {
      const kind = device.id === masterId ? 'valve' : 'station'
      if (device.kind !== kind) throw new AppError('device.not-controllable', { device: device.name })
    }
    if (!(await areBelow(db, path, ids))) throw new AppError('device.not-found')
  }

  /**
   * A source commands its devices in the name of its last editor, without regard to the limits and holds of heating.
   * So a caller without control of valves must not choose devices of heating. Devices that the source already has are
   * accepted: somebody with the right chose them. Throws irrigation.heating-valve, irrigation.heat-station.
   */
  async function requireForWater(
    { caller }: SettingsCall,
    stored: StoredSource | undefined,
    ids: readonly number[],
  ): Promise<void> {
    if (mayControlValves(caller)) return
    const known = new Set(stored ? listOwnDevices(stored) : [])
    const found = await findHeatingDevice(
      db,
      ids.filter((id) => !known.has(id)),
    )
    if (!found) return
    const code = found.kind === 'valve' ? 'irrigation.heating-valve' : 'irrigation.heat-station'
    throw new AppError(code, { device: found.name })
  }

  return {
    async setSource(
      call: SettingsCall,
      input: InputOf<typeof setIrrigationSource>,
    ): Promise<IrrigationSource> {
      const { path } = await getLocatedNode(db, input.node)
      await checkDevices(call, path, input)
      const nodeId = Number(path.split('/').at(-2))
      const { masterId, stationId } = input.settings
      const id = await operate(db, call.operation, async (transaction) => {
        const stored = input.id === undefined ? undefined : await getLocked(transaction, call, input.id)
        const named = [masterId, stationId].filter((one) => one !== undefined)
        await requireForWater(call, stored, named)
        return write(transaction, 'irrigation_source', input, {
          node_id: nodeId,
          settings: input.settings,
          ...(await replaceMaster(transaction, stored, input.settings.masterId)),
          ...(input.id === undefined ? { planned_ms: clock.now() } : {}),
        })
      })
      return irrigation.get(call.caller, id)
    },

    async setGroup(call: SettingsCall, input: InputOf<typeof setIrrigationGroup>): Promise<IrrigationSource> {
      const { sourceId, settings } = input
      const source = await getStored(call, sourceId)
      const {
        path,
        settings: { masterId },
      } = source
      await checkSource('irrigation_group', input.id, sourceId)
      const ids = settings.valves.map(({ deviceId }) => deviceId)
      if (new Set(ids).size < ids.length)
        throw new AppError('request.malformed', { detail: 'valves: a device is listed twice' })
      if (masterId !== undefined && ids.includes(masterId))
        throw new AppError('request.malformed', { detail: 'valves: one is the master valve of the source' })
      for (const device of await devices.getDevices(call.caller.scope, ids)) {
        if (device.kind !== 'valve') throw new AppError('device.not-controllable', { device: device.name })
      }
      // The caller may water all valves below the source's node.
      if (!(await areBelow(db, path, ids))) throw new AppError('device.not-found')
      await requireForWater(call, source, ids)
      await operate(db, call.operation, async (transaction) => {
        await requireNoMaster(transaction, sourceId, ids)
        return write(transaction, 'irrigation_group', input, { source_id: sourceId, settings })
      })
      return irrigation.get(call.caller, sourceId)
    },

    async setProgram(
      call: SettingsCall,
      input: InputOf<typeof setIrrigationProgram>,
    ): Promise<IrrigationSource> {
      const { sourceId, settings } = input
      // A program that was stored before this limit existed can still be disabled.
      if (settings.enabled) requireFewParts(settings.plan)
      const source = await getStored(call, sourceId)
      await checkSource('irrigation_program', input.id, sourceId)
      const own = new Set(source.groups.map(({ id }) => id))
      if (!settings.plan.entries.every(({ groupId }) => own.has(groupId)))
        throw new AppError('irrigation.not-found')
      const { accountId, account } = call.caller
      await operate(db, call.operation, async (transaction) => {
        await planFromNow(transaction, sourceId, clock.now())
        return write(transaction, 'irrigation_program', input, {
          source_id: sourceId,
          settings,
          account_id: accountId,
          account,
        })
      })
      needs.wake()
      return irrigation.get(call.caller, sourceId)
    },

    /** Removes a row. Throws irrigation.running while a run of its source needs it, and irrigation.master-open. */
    async remove(
      call: SettingsCall,
      table: SettingsWrite['table'],
      { id, version }: { readonly id: number; readonly version: number },
    ): Promise<{ id: number }> {
      const sourceId = table === 'irrigation_source' ? id : await findSourceId(db, table, id)
      const { id: lockedId } = await getStored(call, sourceId)
      await operate(db, call.operation, async (transaction) => {
        const source = await getLocked(transaction, call, lockedId)
        const isUsed =
          table !== 'irrigation_program' && (await listActiveRuns(transaction, [source.id])).length > 0
        if (isUsed) throw new AppError('irrigation.running')
        if (table === 'irrigation_source') await requireMasterClosed(transaction, source)
        const isThere = await lockVersion(transaction, { table, entity: entities[table], id, version })
        if (!isThere) throw new AppError('irrigation.not-found')
        if (table === 'irrigation_group') await leaveOut(transaction, source, id)
        await removeRow(transaction, table, id)
      })
      return { id }
    },
  }
}

/** Takes a group out of the programs; a program that had only this one is removed. */
async function leaveOut(
  transaction: Transaction<Tables>,
  { programs }: StoredSource,
  groupId: number,
): Promise<void> {
  for (const { id, settings } of programs) {
    const entries = settings.plan.entries.filter((entry) => entry.groupId !== groupId)
    if (entries.length === settings.plan.entries.length) continue
    const values = { settings: { ...settings, plan: { ...settings.plan, entries } } }
    if (entries.length === 0) await removeRow(transaction, 'irrigation_program', id)
    else await writeSettings(transaction, { table: 'irrigation_program', id, values })
  }
}

export type SettingsService = ReturnType<typeof createSettingsService>
