import type { CommandState } from '@isotherm/contract/command'
import { sql, type Transaction } from 'kysely'
import { toSignal } from '../../../platform/signals/signals.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { EventEntry, EventFacts } from '../model/records.ts'
import { type CommandEvent, findNextState, isFinal } from '../model/state-machine.ts'
// Adds this module's tables to the database type.
import type {} from '../model/tables.ts'

interface Row {
  readonly id: string
  readonly state: CommandState
  readonly attempts: number
  readonly updated_ms: number
  readonly result_code: number
  readonly done_ms: number | null
  readonly deadline_ms: number | null
  readonly next_attempt_ms: number | null
  readonly tried_ms: number | null
}

/** A command's retries stop as soon as the device has shown that it has it. */
const isStillToSend = (state: CommandState): boolean => state === 'queued' || state === 'sent'

/** Whether it counts as unanswered in its queue. */
const isUnanswered = (state: CommandState): boolean => isStillToSend(state) || state === 'delivered'

/** Whether an event is obsolete: an answer has moved the deadline, or the command was tried before its cancellation. */
const isObsolete = (row: Row, event: CommandEvent, at: number): boolean =>
  event === 'deadline'
    ? row.deadline_ms === null || row.deadline_ms > at
    : event === 'cancelled' && row.attempts > 0

const toNext = (row: Row, state: CommandState, facts: EventFacts): Row => ({
  ...row,
  state,
  updated_ms: facts.at,
  result_code: facts.resultCode ?? row.result_code,
  done_ms: facts.doneAt ?? row.done_ms,
  next_attempt_ms: isStillToSend(state) ? row.next_attempt_ms : null,
  tried_ms: isUnanswered(state) ? row.tried_ms : null,
  deadline_ms: isFinal(state) ? null : (facts.deadlineAt ?? row.deadline_ms),
})

/** A signal has at most 8,000 bytes: this number of ULIDs and commas. */
const IDS_PER_SIGNAL = 250

/** Signals changed commands to all replicas when the transaction commits. */
export async function signalCommands(
  transaction: Transaction<Tables>,
  ids: readonly string[],
): Promise<void> {
  for (let start = 0; start < ids.length; start += IDS_PER_SIGNAL) {
    const part = ids.slice(start, start + IDS_PER_SIGNAL).join(',')
    await toSignal('command_changed', part).execute(transaction)
  }
}

/**
 * Applies events in order and adds them to the history. Every state change of a command uses this. Returns the new state
 * for each event, undefined if it changed nothing.
 */
export async function applyEvents(
  transaction: Transaction<Tables>,
  entries: readonly EventEntry[],
): Promise<readonly (CommandState | undefined)[]> {
  if (entries.length === 0) return []
  const ids = [...new Set(entries.map(({ id }) => id))]
  // Lock in order of id, so that two groups with common commands cannot deadlock.
  const { rows: found } = await sql<Row>`
    select id, state, attempts, updated_ms, result_code, done_ms, deadline_ms, next_attempt_ms, tried_ms
    from command where id = any(${ids}::text[]) order by id for no key update`.execute(transaction)
  const rows = new Map(found.map((row) => [row.id, row]))
  const changed = new Set<string>()
  const history: object[] = []
  const states = entries.map(({ id, event, facts }) => {
    const row = rows.get(id)
    if (!row || isObsolete(row, event, facts.at)) return undefined
    const next = findNextState(row.state, event)
    history.push({ id, at_ms: facts.at, event, to_state: next ?? null, detail: facts.detail ?? '' })
    if (!next) return undefined
    rows.set(id, toNext(row, next, facts))
    changed.add(id)
    return next
  })
  await sql`
    insert into command_event (command_id, at_ms, event, to_state, detail)
    select id, at_ms, event, to_state, detail from jsonb_to_recordset(${JSON.stringify(history)}::jsonb)
      given (id text, at_ms bigint, event text, to_state text, detail text)`.execute(transaction)
  const now = [...changed].map((id) => rows.get(id))
  await sql`
    update command set state = now.state, updated_ms = now.updated_ms, result_code = now.result_code,
      done_ms = now.done_ms, deadline_ms = now.deadline_ms, next_attempt_ms = now.next_attempt_ms,
      tried_ms = now.tried_ms
    from jsonb_to_recordset(${JSON.stringify(now)}::jsonb) now (id text, state text, updated_ms bigint,
      result_code integer, done_ms bigint, deadline_ms bigint, next_attempt_ms bigint, tried_ms bigint)
    where command.id = now.id`.execute(transaction)
  await signalCommands(transaction, [...changed])
  return states
}
