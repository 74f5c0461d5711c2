import type { Transaction } from 'kysely'
import { AppError } from '../../platform/app-error.ts'
import type { Tables } from '../../platform/tables.ts'
import { MAX_CLOSE_TRIES } from './limits.ts'
import { findUsedValve, isRetired, type StoredMaster, type StoredSource } from './storage/sources.pg.ts'

/** What a new master valve begins with. */
const newMaster = {
  master_state: 'closed',
  master_opened_ms: null,
  master_sent_ms: null,
  master_refused_ms: null,
  master_free_ms: null,
  master_batch: null,
  master_tries: 0,
} as const

/** It does not close; the close is repeated meanwhile. */
const isStuck = ({ state, tries }: StoredMaster): boolean =>
  state === 'stuck' || (state === 'closing' && tries > MAX_CLOSE_TRIES)

const hasValve = ({ groups }: StoredSource, id: number): boolean =>
  groups.some(({ settings }) => settings.valves.some(({ deviceId }) => deviceId === id))

/**
 * Checks the master valve that a source is to have, and returns what else is to be written. What is open is closed first, because
 * nobody else would close it; a valve that is stuck can be replaced, and one that is retired can be left out too.
 */
export async function replaceMaster(
  transaction: Transaction<Tables>,
  stored: StoredSource | undefined,
  masterId: number | undefined,
): Promise<typeof newMaster | Record<never, never>> {
  if (stored && stored.settings.masterId === masterId) return {}
  if (masterId !== undefined) {
    if (stored && hasValve(stored, masterId))
      throw new AppError('request.malformed', { detail: 'masterId: a group has this valve' })
    const device = await findUsedValve(transaction, [masterId], { sourceId: stored?.id, inGroups: true })
    if (device !== undefined) throw new AppError('irrigation.valve-used', { device })
  }
  if (!stored) return {}
  const { master, settings } = stored
  const mayGo =
    master.state === 'closed' ||
    (masterId !== undefined && isStuck(master)) ||
    (await isRetired(transaction, settings.masterId))
  if (!mayGo) throw new AppError('irrigation.running')
  return newMaster
}

/** A source goes with its master valve closed, or stuck and retired. Throws irrigation.master-open. */
export async function requireMasterClosed(
  transaction: Transaction<Tables>,
  { master, settings }: StoredSource,
): Promise<void> {
  if (master.state === 'closed') return
  if (isStuck(master) && (await isRetired(transaction, settings.masterId))) return
  throw new AppError('irrigation.master-open')
}

/** A group has no master valve of another source. Throws irrigation.valve-used. */
export async function requireNoMaster(
  transaction: Transaction<Tables>,
  sourceId: number,
  deviceIds: readonly number[],
): Promise<void> {
  const device = await findUsedValve(transaction, deviceIds, { sourceId, inGroups: false })
  if (device !== undefined) throw new AppError('irrigation.valve-used', { device })
}
