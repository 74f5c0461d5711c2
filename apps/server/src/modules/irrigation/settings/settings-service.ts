import type { InputOf } from '@isotherm/contract/endpoint'
import type {
  setIrrigationGroup,
  setIrrigationProgram,
  setIrrigationSource,
} from '@isotherm/contract/endpoints/control/irrigation'
import type { IrrigationSource } from '@isotherm/contract/irrigation'
import type { Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Call } from '../../../platform/http/call.ts'
import { lockVersion } from '../../../platform/operation/lock-version.pg.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { getLocatedNode } from '../../network/index.ts'
import { requireFewParts } from '../calendar/preview.ts'
import { requirePosition } from '../position.ts'
import type { IrrigationService, IrrigationServiceNeeds } from '../service.ts'
import { listActiveRuns } from '../storage/runs.pg.ts'
import {
  findSourceId,
  listSources,
  lockSource,
  planFromNow,
  removeRow,
  type SettingsWrite,
  type StoredSource,
  writeSettings,
} from '../storage/sources.pg.ts'
import { requireMasterClosed } from './master-settings.ts'
import { entities, type SettingsWriter, writeVersion } from './settings-writer.ts'

/** What a change of settings needs of its call. */
export type SettingsCall = Pick<Call, 'caller' | 'operation'>

/** Settings of sources, groups and programs. */
export function createSettingsService(
  needs: Pick<IrrigationServiceNeeds, 'db' | 'clock' | 'wake'> & {
    readonly writer: SettingsWriter
    readonly irrigation: IrrigationService
  },
) {
  const { db, clock, writer, irrigation } = needs

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

  /** Throws irrigation.not-found unless the edited row belongs to the source that the call names. */
  async function checkSource(
    table: 'irrigation_group' | 'irrigation_program',
    id: number | undefined,
    sourceId: number,
  ) {
    if (id === undefined) return
    if ((await findSourceId(db, table, id)) !== sourceId) throw new AppError('irrigation.not-found')
  }

  return {
    async setSource(
      call: SettingsCall,
      input: InputOf<typeof setIrrigationSource>,
    ): Promise<IrrigationSource> {
      const id = await operate(db, call.operation, async (transaction) => {
        await writer.lockChosen(transaction, call.caller, input)
        const { path } = await getLocatedNode(transaction, input.node)
        const stored = input.id === undefined ? undefined : await getLocked(transaction, call, input.id)
        return writer.writeSource(transaction, call.caller, { ...input, path, stored })
      })
      return irrigation.get(call.caller, id)
    },

    async setGroup(call: SettingsCall, input: InputOf<typeof setIrrigationGroup>): Promise<IrrigationSource> {
      const { sourceId } = input
      await getStored(call, sourceId)
      await checkSource('irrigation_group', input.id, sourceId)
      await operate(db, call.operation, async (transaction) => {
        await writer.lockChosen(transaction, call.caller, input)
        // An import locks the source first, too.
        const source = await getLocked(transaction, call, sourceId)
        return writer.writeGroup(transaction, call.caller, { ...input, source })
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
      if (settings.enabled) requirePosition(source, settings.plan)
      const { accountId, account } = call.caller
      await operate(db, call.operation, async (transaction) => {
        await planFromNow(transaction, sourceId, clock.now())
        return writeVersion(transaction, 'irrigation_program', input, {
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
