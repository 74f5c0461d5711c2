import { type SqlBool, sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/database.pg.ts'
import { operate } from '../../platform/operation/operate.pg.ts'
import type { Operation } from '../../platform/operation/operation.ts'
import { toSignal } from '../../platform/signals.pg.ts'
import type { Tables } from '../../platform/tables.ts'
import { noteOpenings, takeCommandRevs } from '../devices/index.ts'
import './tables.ts'
import { applyEvent } from './apply-event.pg.ts'
import { findCommands, listCommands, listLastCommands } from './query.pg.ts'
import type { AwaitingCommand, CommandStore, DueCommand, EventFacts, NewCommand } from './store.ts'
import { noteCancelled } from './withdraw-commands.pg.ts'

type Connection = Transaction<Tables>

async function insertAll(transaction: Connection, commands: readonly NewCommand[]): Promise<void> {
  const deviceIds = commands.map((command) => command.deviceId)
  const revs = await takeCommandRevs(transaction, deviceIds)
  const replaced = await transaction
    .selectFrom('command')
    .where('device_id', 'in', deviceIds)
    .where('deadline_ms', 'is not', null)
    .select('id')
    .orderBy('id')
    .execute()
  const at = commands[0]?.createdAt ?? 0
  for (const { id } of replaced) await applyEvent(transaction, id, 'replaced', { at })
  await transaction
    .insertInto('command')
    .values(
      commands.map((command) => ({
        id: command.id,
        batch_id: command.batchId,
        device_id: command.deviceId,
        opening_pct: command.openingPct,
        previous_pct: command.previousPct ?? null,
        state: 'queued' as const,
        rev: revs.get(command.deviceId) ?? 0,
        actor: command.actor,
        reason: command.reason,
        created_ms: command.createdAt,
        updated_ms: command.createdAt,
        expires_ms: command.expiresAt,
        deadline_ms: command.expiresAt,
        next_attempt_ms: command.createdAt,
        done_ms: null,
      })),
    )
    .execute()
  await transaction
    .insertInto('command_event')
    .values(
      commands.map(({ id, createdAt }) => ({
        command_id: id,
        at_ms: createdAt,
        event: 'stored' as const,
        to_state: 'queued' as const,
        detail: '',
      })),
    )
    .execute()
  await noteOpenings(
    transaction,
    commands.map(({ deviceId, openingPct, createdAt }) => ({ deviceId, openingPct, at: createdAt })),
  )
  for (const { id } of commands) await toSignal('command_changed', id).execute(transaction)
}

async function takeDue(
  transaction: Connection,
  now: number,
  limit: number,
  planNext: (attempts: number) => number | null,
): Promise<readonly DueCommand[]> {
  const due = await transaction
    .selectFrom('command')
    .where('next_attempt_ms', '<=', now)
    .where('expires_ms', '>', now)
    // None is open for a device that is out of use but what was before that ended commands; it expires.
    .where(sql<SqlBool>`exists (select from device where device.id = device_id and retired_at is null)`)
    .select([
      'id',
      'device_id as deviceId',
      'opening_pct as openingPct',
      'rev',
      'created_ms as createdAt',
      'expires_ms as expiresAt',
      'attempts',
    ])
    .orderBy('next_attempt_ms')
    .limit(limit)
    .forNoKeyUpdate()
    .skipLocked()
    .execute()
  for (const { id, attempts } of due) {
    await transaction
      .updateTable('command')
      .where('id', '=', id)
      .set({ attempts: attempts + 1, next_attempt_ms: planNext(attempts) })
      .execute()
  }
  return due
}

/** Rolls a transaction back without being a failure. */
class NotAll extends Error {}

async function cancelAll(
  db: Database,
  ids: readonly string[],
  facts: EventFacts,
  operation: Operation,
): Promise<boolean> {
  try {
    await operate(db, operation, async (transaction) => {
      // In order of id: two people cancelling the same commands wait for each other, not in a circle.
      for (const id of ids.toSorted()) {
        if (!(await applyEvent(transaction, id, 'cancelled', facts))) throw new NotAll()
      }
      await noteCancelled(
        transaction,
        ids.map((id) => ({ id, state: 'queued' })),
        {},
      )
    })
    return true
  } catch (error) {
    if (error instanceof NotAll) return false
    throw error
  }
}

const listAwaiting = async (db: Database): Promise<readonly AwaitingCommand[]> => {
  const rows = await db
    .selectFrom('command')
    .where('state', '=', 'done')
    .where('deadline_ms', 'is not', null)
    .select(['id', 'device_id as deviceId', 'opening_pct as openingPct', 'done_ms', 'updated_ms'])
    .execute()
  return rows.map(({ done_ms, updated_ms, ...row }) => ({ ...row, doneAt: done_ms ?? updated_ms }))
}

export const createCommandStore = (db: Database): CommandStore => ({
  insertAll: (commands, operation) =>
    operate(db, operation, (transaction) => insertAll(transaction, commands)),
  noteOpenings: (openings, operation) =>
    operate(db, operation, (transaction) => noteOpenings(transaction, openings)),
  apply: (id, event, facts) =>
    db.transaction().execute((transaction) => applyEvent(transaction, id, event, facts)),
  takeDue: (now, limit, planNext) =>
    db.transaction().execute((transaction) => takeDue(transaction, now, limit, planNext)),
  async postpone(id, nextAt) {
    await db
      .updateTable('command')
      .where('id', '=', id)
      .where('state', 'in', ['queued', 'sent'])
      .set(({ eb }) => ({ attempts: eb('attempts', '-', 1), next_attempt_ms: nextAt }))
      .execute()
  },
  cancelAll: (ids, facts, operation) => cancelAll(db, ids, facts, operation),
  async listOverdue(now, limit) {
    const rows = await db
      .selectFrom('command')
      .where('deadline_ms', '<=', now)
      .select('id')
      .orderBy('deadline_ms')
      .limit(limit)
      .execute()
    return rows.map(({ id }) => id)
  },
  async countOpen() {
    const rows = await db
      .selectFrom('command')
      .where('deadline_ms', 'is not', null)
      .select(['state', (eb) => eb.fn.countAll<number>().as('commands')])
      .groupBy('state')
      .execute()
    return new Map(rows.map(({ state, commands }) => [state, commands]))
  },
  listAwaiting: () => listAwaiting(db),
  find: (scope, ids) => findCommands(db, scope, ids),
  list: (scope, query) => listCommands(db, scope, query),
  listLast: (scope, deviceIds) => listLastCommands(db, scope, deviceIds),
  findTarget: (id) =>
    db
      .selectFrom('command')
      .where('id', '=', id)
      .select(['device_id as deviceId', 'opening_pct as openingPct', 'created_ms as createdAt'])
      .executeTakeFirst(),
})
