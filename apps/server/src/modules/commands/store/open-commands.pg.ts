import { type CommandState, finalCommandStates } from '@isotherm/contract/command'
import { type SqlBool, sql } from 'kysely'
import { isServedDevice } from '../../../platform/cell/served.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { AwaitingCommand, CommandTarget, OverdueCommand, ShownOpening } from '../model/records.ts'
import type {} from '../model/tables.ts'

/** Columns of a setpoint; its unit depends on the kind. */
const setpointColumns = ['kind', sql<number>`coalesce(opening_pct, head_kpa, offset_k)`.as('target')] as const

/** Commands in companies that this server serves that wait for the reading that confirms them. */
export async function listAwaiting(db: Database): Promise<readonly AwaitingCommand[]> {
  const rows = await db
    .selectFrom('command')
    .where('state', '=', 'done')
    .where('deadline_ms', 'is not', null)
    .where(isServedDevice('device_id'))
    .select(['id', 'device_id as deviceId', ...setpointColumns, 'done_ms', 'updated_ms'])
    .execute()
  return rows.map(({ done_ms, updated_ms, ...row }) => ({ ...row, doneAt: done_ms ?? updated_ms }))
}

/**
 * Stores the opening that a valve reports after its `done` and that does not confirm the command, unless a newer one is stored
 * already: by another replica, or because an earlier update was slow.
 */
export async function recordShown(db: Database, id: string, { pct, ts }: ShownOpening): Promise<void> {
  await db
    .updateTable('command')
    .set({ shown_pct: pct, shown_ms: ts })
    .where('id', '=', id)
    .where('state', '=', 'done')
    .where((eb) => eb.or([eb('shown_ms', 'is', null), eb('shown_ms', '<', ts)]))
    .execute()
}

/** Device and setpoint of a command, to check a reply against. */
export const findTarget = (db: Database, id: string): Promise<CommandTarget | undefined> =>
  db
    .selectFrom('command')
    .where('id', '=', id)
    .select(['device_id as deviceId', ...setpointColumns, 'created_ms as createdAt'])
    .executeTakeFirst()

/** Commands of these companies past their deadline at `now`, or at `triedBefore` if they were tried; at most `limit`. Instants are Unix ms. */
export const listOverdue = (
  db: Database,
  { now, triedBefore, limit }: { readonly now: number; readonly triedBefore: number; readonly limit: number },
): Promise<readonly OverdueCommand[]> =>
  db
    .selectFrom('command')
    .where('deadline_ms', '<=', now)
    .where(isServedDevice('device_id'))
    // The deadline of a command that waits in a paused batch does not count.
    .where(
      sql<SqlBool>`case when state = 'queued' and attempts = 0
        then batch_id <> all(array(select id from command_batch where state = 'paused'))
        else deadline_ms <= ${triedBefore} end`,
    )
    .select(['id', sql<boolean>`state = 'queued' and attempts > 0`.as('wasTried')])
    .orderBy('deadline_ms')
    .limit(limit)
    .execute()

/** An order of a station's offset, K. */
export interface LastOffset {
  /** ULIDs: a later batch has a greater one. */
  readonly batchId: string
  readonly offsetK: number
  /** Unix ms. */
  readonly at: number
  /** Whether it may still change the offset. */
  readonly isOpen: boolean
}

/** The newest order of an offset that was carried out or may still be; its outcome may be unknown. */
export async function findLastOffset(db: Database, deviceId: number): Promise<LastOffset | undefined> {
  const found = await db
    .selectFrom('command')
    .where('device_id', '=', deviceId)
    .where('kind', '=', 'supply.set')
    .where('state', 'not in', ['failed', 'expired', 'superseded', 'cancelled'])
    .orderBy('id', 'desc')
    .limit(1)
    .select(['batch_id as batchId', 'offset_k as offsetK', 'created_ms as at', 'state'])
    .executeTakeFirst()
  return found && found.offsetK !== null
    ? {
        batchId: found.batchId,
        offsetK: found.offsetK,
        at: found.at,
        isOpen: !finalCommandStates.has(found.state),
      }
    : undefined
}

/** Number of commands in each state that is not final. */
export async function countOpenCommands(db: Database): Promise<ReadonlyMap<CommandState, number>> {
  const rows = await db
    .selectFrom('command')
    .where('deadline_ms', 'is not', null)
    .select(['state', (eb) => eb.fn.countAll<number>().as('commands')])
    .groupBy('state')
    .execute()
  return new Map(rows.map(({ state, commands }) => [state, commands]))
}
