import { type SqlBool, sql, type Transaction } from 'kysely'
import { z } from 'zod'
import { AppError } from '../../../platform/app-error.ts'
import type { Call } from '../../../platform/http/call.ts'
import { signalRegistry } from '../../../platform/signals/registry-signal.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { requireManaging } from '../policy.ts'
import { type Item, lockDevices, requireVersions } from './device-locks.pg.ts'
import { touchHolders } from './touch-holders.pg.ts'

/** A row of another table still refers to what was to be removed. */
const stillUsed = z.object({ code: z.literal('23503'), table: z.string() })

/** One of the devices of which anything was ever heard, however long ago; undefined for none. */
export type FindHeard = (ids: readonly number[]) => Promise<number | undefined>

/**
 * Removes devices that have no past: no readings, no commands, nothing that spoke through them or that they
 * replaced. What has one is retired instead. Throws what deleteDev names; then nothing is removed.
 */
export async function removeDevices(
  transaction: Transaction<Tables>,
  { caller }: Pick<Call, 'caller'>,
  items: readonly Item[],
  findHeard: FindHeard,
): Promise<readonly number[]> {
  const ids = items.map(({ id }) => id)
  await touchHolders(transaction, ids)
  const locked = await lockDevices(transaction, caller.scope, ids)
  for (const { kind } of await requireVersions(transaction, locked, items)) requireManaging(caller, kind)
  const heard = await findHeard(ids)
  if (heard !== undefined) {
    throw new AppError('entity.in-use', { by: `${locked.get(heard)?.serial ?? heard}: reading` })
  }
  try {
    await transaction
      .deleteFrom('device')
      .where(sql<SqlBool>`id = any(${[...ids]}::bigint[])`)
      .execute()
  } catch (error) {
    const known = stillUsed.safeParse(error)
    if (!known.success) throw error
    throw new AppError('entity.in-use', { by: known.data.table.replaceAll('_', ' ') }, { cause: error })
  }
  await signalRegistry(transaction, { kind: 'devices', ids })
  return ids
}
