import type { CommandState } from '@isotherm/contract/command'
import { sql, type Transaction } from 'kysely'
import { noteChanges } from '../../../platform/operation/note-changes.pg.ts'
import { devicePath } from '../../../platform/scope/scope.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { Retiring } from '../../devices/index.ts'
import { applyEvents } from './apply-events.pg.ts'

/** Notes in the operation log that commands were cancelled, each with the state it was in. */
export async function noteCancelled(
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
  await noteChanges(
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
 * Ends every open command of devices that go out of use, in the transaction that takes them out: none is stored
 * after it, for their rows are locked, and none is left that would be brought to what stands in their place.
 */
export async function withdrawCommands(
  transaction: Transaction<Tables>,
  { ids, at, reason }: Retiring,
): Promise<void> {
  // Held until they are ended: no answer comes in between.
  const { rows: open } = await sql<{ id: string; state: CommandState }>`
    select id, state from command where device_id = any(${[...ids]}::bigint[]) and deadline_ms is not null
    order by id for no key update`.execute(transaction)
  if (open.length === 0) return
  const facts = { at, detail: `device ${reason}` }
  await applyEvents(
    transaction,
    open.map(({ id }) => ({ id, event: 'withdrawn', facts })),
  )
  await noteCancelled(transaction, open, { cause: `device ${reason}` })
}
