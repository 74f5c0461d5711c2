import type { Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Tables } from '../../../platform/tables.ts'
import { MAX_CLOSE_TRIES } from '../limits.ts'
import { findUsedValve, isRetired, type StoredMaster, type StoredSource } from '../storage/sources.pg.ts'

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

/** Whether the valve does not close, although the close command is still repeated. */
const isStuck = ({ state, tries }: StoredMaster): boolean =>
  state === 'stuck' || (state === 'closing' && tries > MAX_CLOSE_TRIES)

/**
 * Checks the master valve that a source should get, and returns the further columns to write. The present master
 * valve must be closed, because nothing else would close it later; a stuck one may be replaced, and a retired one may
 * be replaced or removed. Throws irrigation.valve-used, irrigation.running.
 */
export async function replaceMaster(
  transaction: Transaction<Tables>,
  stored: StoredSource | undefined,
  masterId: number | undefined,
): Promise<typeof newMaster | Record<never, never>> {
  if (stored && stored.settings.masterId === masterId) return {}
  if (masterId !== undefined) {
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

/**
 * Before a source is removed: its master valve must be closed, or stuck and retired. Throws irrigation.master-open.
 */
export async function requireMasterClosed(
  transaction: Transaction<Tables>,
  { master, settings }: StoredSource,
): Promise<void> {
  if (master.state === 'closed') return
  if (isStuck(master) && (await isRetired(transaction, settings.masterId))) return
  throw new AppError('irrigation.master-open')
}

/** Valves of a group must not be the master valve of another source. Throws irrigation.valve-used. */
export async function requireNoMaster(
  transaction: Transaction<Tables>,
  sourceId: number,
  deviceIds: readonly number[],
): Promise<void> {
  const device = await findUsedValve(transaction, deviceIds, { sourceId, inGroups: false })
  if (device !== undefined) throw new AppError('irrigation.valve-used', { device })
}
