import type { Transaction } from 'kysely'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Operation } from '../../../platform/operation/operation.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { resolveHolds } from '../holds/holds.pg.ts'
import { checkNetworkLimits, type FindOpening, toRequestedOpenings } from '../limits/network-limits.pg.ts'
import { headCheck } from '../limits/pump-limits.pg.ts'
import { checkSetpoints } from '../limits/setpoint-limits.pg.ts'
import { offsetCheck } from '../limits/supply-limits.pg.ts'
import type { EventFacts, ExtraWrites, NewBatch, NewCommand } from '../model/records.ts'
import { applyEvents } from './apply-events.pg.ts'
import { insertBatch, lockTargets } from './insert-batch.pg.ts'
import { recordCancelled } from './withdraw-commands.pg.ts'

export interface NewOrder {
  readonly batch: NewBatch
  readonly commands: readonly NewCommand[]
  readonly extraWrites?: ExtraWrites | undefined
}

/**
 * Stores a batch with all of its commands, or nothing, together with the operation in the log. Supersedes the open
 * commands to the same properties of devices and records the new openings as the last requested ones. Signals each change on commit.
 * Throws device.retired, device.not-found, command.outside-limits, command.total-too-low, command.head-outside,
 * command.offset-outside and command.held.
 */
export const storeOrder = (
  db: Database,
  { batch, commands, extraWrites }: NewOrder,
  operation: Operation,
  findOpening: FindOpening,
): Promise<void> =>
  operate(db, operation, async (transaction) => {
    await extraWrites?.(transaction, batch.id)
    const revs = await lockTargets(transaction, commands)
    await checkNetworkLimits(transaction, batch, toRequestedOpenings(commands), findOpening)
    await checkSetpoints(transaction, batch, commands, headCheck)
    await checkSetpoints(transaction, batch, commands, offsetCheck)
    await resolveHolds(transaction, batch, commands)
    await insertBatch(transaction, batch, commands, revs)
  })

/** Cancels the commands that were never tried and records it. Returns their number. */
async function cancelAndRecord(
  transaction: Transaction<Tables>,
  ids: readonly string[],
  facts: EventFacts,
): Promise<number> {
  const states = await applyEvents(
    transaction,
    ids.map((id) => ({ id, event: 'cancelled', facts })),
  )
  const cancelled = ids.flatMap((id, index) => (states[index] ? [{ id, state: 'queued' as const }] : []))
  if (cancelled.length > 0) await recordCancelled(transaction, cancelled, {})
  return cancelled.length
}

/** Rolls the transaction back; it is not a failure. */
class RollbackSignal extends Error {}

/** Cancels all commands. Returns false, and cancels none, if one of them was tried or is no longer queued. */
export async function cancelAll(
  db: Database,
  ids: readonly string[],
  facts: EventFacts,
  operation: Operation,
): Promise<boolean> {
  const unique = [...new Set(ids)]
  try {
    await operate(db, operation, async (transaction) => {
      if ((await cancelAndRecord(transaction, unique, facts)) < unique.length) throw new RollbackSignal()
    })
    return true
  } catch (error) {
    if (error instanceof RollbackSignal) return false
    throw error
  }
}

export interface Cancellation {
  readonly ids: readonly string[]
  readonly facts: EventFacts
  /** If these throw, no command is cancelled. */
  readonly extraWrites?: ((transaction: Transaction<Tables>) => Promise<void>) | undefined
}

/** Cancels those of the commands that were never tried. */
export const cancelUntried = (
  db: Database,
  { ids, facts, extraWrites }: Cancellation,
  operation: Operation,
): Promise<void> =>
  operate(db, operation, async (transaction) => {
    await extraWrites?.(transaction)
    await cancelAndRecord(transaction, [...new Set(ids)], facts)
  })
