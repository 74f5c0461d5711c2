import type { CommandState } from '@isotherm/contract/command'
import { sql, type Transaction } from 'kysely'
import { recordChanges } from '../../../platform/operation/record-changes.pg.ts'
import { devicePath } from '../../../platform/scope/scope.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { Retiring } from '../../devices/index.ts'
import { applyEvents } from './apply-events.pg.ts'

/** Records the cancellation of commands in the operation log, each with its previous state. */
export async function recordCancelled(
  transaction: Transaction<Tables>,
  commands: readonly { readonly id: string; readonly state: CommandState }[],
  why: { readonly cause?: string },
): Promise<void> {
  const states = new Map(commands.map(({ id, state }) => [id, state]))
  const rows = await transaction
    .selectFrom('command')
    .innerJoin('device', 'device.id', 'command.device_id')
    .innerJoin('node', 'node.id', 'device.node_id')
    .where('command.id', 'in', [...states.keys()])
    .select(['command.id', devicePath.as('path')])
    .execute()
  await recordChanges(
    transaction,
    'command',
    rows.map((row) => ({
      ...row,
      before: { state: states.get(row.id) },
      after: { state: 'cancelled', ...why },
    })),
  )
}

/**
 * Ends all open commands of devices in the transaction that retires them. The device rows are locked, so no command can be
 * added meanwhile, and no command reaches a replacement device.
 */
export async function withdrawCommands(
  transaction: Transaction<Tables>,
  { ids, at, reason }: Retiring,
): Promise<void> {
  // Lock the commands, so that no answer changes them in between.
  const { rows: open } = await sql<{ id: string; state: CommandState }>`
    select id, state from command where device_id = any(${[...ids]}::bigint[]) and deadline_ms is not null
    order by id for no key update`.execute(transaction)
  if (open.length === 0) return
  const facts = { at, detail: `device ${reason}` }
  await applyEvents(
    transaction,
    open.map(({ id }) => ({ id, event: 'withdrawn', facts })),
  )
  await recordCancelled(transaction, open, { cause: `device ${reason}` })
}
