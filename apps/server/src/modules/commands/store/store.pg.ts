import { type SqlBool, sql, type Transaction } from 'kysely'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Operation } from '../../../platform/operation/operation.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { noteOpenings } from '../../devices/index.ts'
import { meetHolds } from '../holds/holds.pg.ts'
import { checkNetworkLimits, type FindOpening, toAskedOpenings } from '../limits/network-limits.pg.ts'
import { checkPumpLimits } from '../limits/pump-limits.pg.ts'
import type { AwaitingCommand, CommandStore, EventFacts } from '../model/records.ts'
import { applyEvents } from './apply-events.pg.ts'
import { createEventGroups } from './event-groups.ts'
import { insertBatch, lockTargets } from './insert-batch.pg.ts'
import { findCommands, listCommands, listLastCommands } from './query.pg.ts'
import '../model/tables.ts'
import { noteCancelled } from './withdraw-commands.pg.ts'

/** Rolls a transaction back without being a failure. */
class NotAll extends Error {}

/** Cancels and notes those that were never tried; how many. */
async function cancelUntried(
  transaction: Transaction<Tables>,
  ids: ReadonlySet<string>,
  facts: EventFacts,
): Promise<number> {
  const asked = [...ids]
  const states = await applyEvents(
    transaction,
    asked.map((id) => ({ id, event: 'cancelled', facts })),
  )
  const cancelled = asked.flatMap((id, index) => (states[index] ? [{ id, state: 'queued' as const }] : []))
  if (cancelled.length > 0) await noteCancelled(transaction, cancelled, {})
  return cancelled.length
}

async function cancelAll(
  db: Database,
  ids: ReadonlySet<string>,
  facts: EventFacts,
  operation: Operation,
): Promise<boolean> {
  try {
    await operate(db, operation, async (transaction) => {
      if ((await cancelUntried(transaction, ids, facts)) < ids.size) throw new NotAll()
    })
    return true
  } catch (error) {
    if (error instanceof NotAll) return false
    throw error
  }
}

/** What a command asks, in the unit of its kind. */
const aimColumns = ['kind', sql<number>`coalesce(opening_pct, head_kpa)`.as('target')] as const

const listAwaiting = async (db: Database): Promise<readonly AwaitingCommand[]> => {
  const rows = await db
    .selectFrom('command')
    .where('state', '=', 'done')
    .where('deadline_ms', 'is not', null)
    .select(['id', 'device_id as deviceId', ...aimColumns, 'done_ms', 'updated_ms'])
    .execute()
  return rows.map(({ done_ms, updated_ms, ...row }) => ({ ...row, doneAt: done_ms ?? updated_ms }))
}

export function createCommandStore(db: Database, findOpening: FindOpening = () => undefined): CommandStore {
  const applyTogether = createEventGroups((happenings) =>
    db.transaction().execute((transaction) => applyEvents(transaction, happenings)),
  )
  return {
    insertBatch: (batch, commands, operation, beside) =>
      operate(db, operation, async (transaction) => {
        await beside?.(transaction, batch.id)
        const revs = await lockTargets(transaction, commands)
        await checkNetworkLimits(transaction, batch, toAskedOpenings(commands), findOpening)
        await checkPumpLimits(transaction, batch, commands)
        await meetHolds(transaction, batch, commands)
        await insertBatch(transaction, batch, commands, revs)
      }),
    noteOpenings: (openings, operation) =>
      operate(db, operation, (transaction) => noteOpenings(transaction, openings)),
    apply: (id, event, facts) => applyTogether({ id, event, facts }),
    cancelAll: (ids, facts, operation) => cancelAll(db, new Set(ids), facts, operation),
    cancelUntried: (ids, facts, operation, beside) =>
      operate(db, operation, async (transaction) => {
        await beside?.(transaction)
        await cancelUntried(transaction, new Set(ids), facts)
      }),
    async listOverdue({ now, triedBefore, limit }) {
      return (
        db
          .selectFrom('command')
          .where('deadline_ms', '<=', now)
          // The time of what waits in a batch that is paused does not run.
          .where(
            sql<SqlBool>`case when state = 'queued' and attempts = 0
            then batch_id <> all(array(select id from command_batch where state = 'paused'))
            else deadline_ms <= ${triedBefore} end`,
          )
          .select(['id', sql<boolean>`state = 'queued' and attempts > 0`.as('wasTried')])
          .orderBy('deadline_ms')
          .limit(limit)
          .execute()
      )
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
        .select(['device_id as deviceId', ...aimColumns, 'created_ms as createdAt'])
        .executeTakeFirst(),
  }
}
