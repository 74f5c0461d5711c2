import { type SqlBool, sql, type Transaction } from 'kysely'
import { z } from 'zod'
import { AppError } from '../../../platform/app-error.ts'
import type { Call } from '../../../platform/http/call.ts'
import { signalRegistry } from '../../../platform/signals/registry-signal.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { requireManaging } from '../policy.ts'
import { type Item, lockDevices, requireVersions } from './device-locks.pg.ts'
import { touchHolders } from './touch-holders.pg.ts'

/** PostgreSQL error: a row of another table still refers to the device. */
const stillUsed = z.object({ code: z.literal('23503'), table: z.string() })

/** Finds one of the devices that has stored readings of any age; undefined if none has. */
export type FindWithReadings = (ids: readonly number[]) => Promise<number | undefined>

/**
 * Removes devices without history: no readings, no commands, no devices that reported through them or were replaced by
 * them. A device with history can only be retired. `check` may refuse. Throws the errors of deleteDev; then nothing is removed.
 */
export async function removeDevices(
  transaction: Transaction<Tables>,
  { caller }: Pick<Call, 'caller'>,
  items: readonly Item[],
  findWithReadings: FindWithReadings,
  check: (ids: readonly number[]) => Promise<void>,
): Promise<readonly number[]> {
  const ids = items.map(({ id }) => id)
  await touchHolders(transaction, ids)
  const locked = await lockDevices(transaction, caller.scope, ids)
  for (const { kind } of await requireVersions(transaction, locked, items)) requireManaging(caller, kind)
  await check(ids)
  const reported = await findWithReadings(ids)
  if (reported !== undefined) {
    throw new AppError('entity.in-use', { entity: 'reading', of: locked.get(reported)?.serial ?? reported })
  }
  try {
    await transaction
      .deleteFrom('device')
      .where(sql<SqlBool>`id = any(${[...ids]}::bigint[])`)
      .execute()
  } catch (error) {
    const known = stillUsed.safeParse(error)
    if (!known.success) throw error
    throw new AppError('entity.in-use', { entity: known.data.table.replaceAll('_', '-') }, { cause: error })
  }
  await signalRegistry(transaction, { kind: 'devices', ids })
  return ids
}
