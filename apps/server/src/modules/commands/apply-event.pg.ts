import type { CommandState } from '@isotherm/contract/command'
import type { Transaction } from 'kysely'
import { toSignal } from '../../platform/signals.pg.ts'
import type { Tables } from '../../platform/tables.ts'
import { type CommandEvent, findNextState, isFinal } from './state-machine.ts'
import type { EventFacts } from './store.ts'
// Adds this module's tables to those the database knows.
import type {} from './tables.ts'

/** A command's retries stop as soon as the device has shown that it has it. */
const isStillToSend = (state: CommandState): boolean => state === 'queued' || state === 'sent'

/** A deadline that an answer has moved meanwhile, or a cancellation after the command was tried. */
const isOverruled = (
  row: { readonly attempts: number; readonly deadline_ms: number | null },
  event: CommandEvent,
  at: number,
): boolean =>
  event === 'deadline'
    ? row.deadline_ms === null || row.deadline_ms > at
    : event === 'cancelled' && row.attempts > 0

/** The one way a command's state changes; the state it led to, undefined when it changed nothing. */
export async function applyEvent(
  transaction: Transaction<Tables>,
  id: string,
  event: CommandEvent,
  facts: EventFacts,
): Promise<CommandState | undefined> {
  const row = await transaction
    .selectFrom('command')
    .where('id', '=', id)
    .select(['state', 'attempts', 'deadline_ms'])
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row || isOverruled(row, event, facts.at)) return undefined
  const next = findNextState(row.state, event)
  await transaction
    .insertInto('command_event')
    .values({ command_id: id, at_ms: facts.at, event, to_state: next ?? null, detail: facts.detail ?? '' })
    .execute()
  if (!next) return undefined
  await transaction
    .updateTable('command')
    .where('id', '=', id)
    .set({
      state: next,
      updated_ms: facts.at,
      ...(facts.resultCode === undefined ? {} : { result_code: facts.resultCode }),
      ...(facts.doneAt === undefined ? {} : { done_ms: facts.doneAt }),
      ...(isStillToSend(next) ? {} : { next_attempt_ms: null }),
      ...(isFinal(next)
        ? { deadline_ms: null }
        : facts.deadlineAt === undefined
          ? {}
          : { deadline_ms: facts.deadlineAt }),
    })
    .execute()
  await toSignal('command_changed', id).execute(transaction)
  return next
}
