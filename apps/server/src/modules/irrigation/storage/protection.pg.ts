import type { IrrigationSourceSettings } from '@isotherm/contract/irrigation'
import type { MasterState } from '@isotherm/irrigation/run/master'
import { runTransitions } from '@isotherm/irrigation/run/run-machine'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { HaltReason } from '../tables.ts'
import { listActiveRuns, moveRun } from './runs.pg.ts'
import type { StoredSource } from './sources.pg.ts'

/** Closings that are longer ago are not read, ms. */
const LOOK_BACK_MS = 86_400_000

/** A pump without water is shown by nothing. */
const NOT_DRY = { dry_since_ms: null, dry_seen_ms: null, low_since_ms: null, low_seen_ms: null } as const

/** What measures at a source. */
type Measured = Pick<IrrigationSourceSettings, 'meterId' | 'stationId'>

/**
 * Sources that share the flow meter or the controller, with the source itself. A meter may be in the main of the whole pump house, so all of
 * them count, also if only one of them has it.
 */
function isSharing({ meterId, stationId }: Measured) {
  const ids = [meterId, stationId].flatMap((id) => (id === undefined ? [] : String(id)))
  return sql`(source.settings->>'meterId' = any(${ids}) or source.settings->>'stationId' = any(${ids}))`
}

/** Whether a run of any source that shares the meter or the controller may have a valve open, and when the last was confirmed closed, Unix ms. */
export async function readQuiet(
  db: Database,
  measured: Measured,
  now: number,
): Promise<{ readonly isOpen: boolean; readonly closedMs: number }> {
  const { rows } = await sql<{ isOpen: boolean | null; closedMs: number | null }>`
    select bool_or(step.state in ('opening', 'open', 'closing', 'stuck')) as "isOpen", max(closed_ms) as "closedMs"
    from irrigation_source source join irrigation_run run on run.source_id = source.id
      join irrigation_step step on step.run_id = run.id
    where ${isSharing(measured)} and not is_observed and (began_ms > ${now - LOOK_BACK_MS}::bigint
      or step.state in ('opening', 'open', 'closing', 'stuck'))`.execute(db)
  return { isOpen: rows[0]?.isOpen ?? false, closedMs: rows[0]?.closedMs ?? 0 }
}

/** Valves of the groups of all sources that share the meter or the controller. */
export async function listGroupValves(db: Database, measured: Measured): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct (valve->>'deviceId')::bigint as id
    from irrigation_source source join irrigation_group watered on watered.source_id = source.id,
      jsonb_array_elements(watered.settings->'valves') valve
    where ${isSharing(measured)}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Columns of the protections of a source. */
export interface ProtectionChange {
  readonly leak_since_ms?: number | null
  readonly leak_seen_ms?: number | null
  readonly leak_ms?: number | null
  readonly leak_m3_h?: number | null
  readonly dry_since_ms?: number | null
  readonly dry_seen_ms?: number | null
  readonly low_since_ms?: number | null
  readonly low_seen_ms?: number | null
}

export async function changeProtection(db: Database, id: number, change: ProtectionChange): Promise<void> {
  await db.updateTable('irrigation_source').set(change).where('id', '=', id).execute()
}

/** Halts a source: its runs are paused, and nothing opens until somebody releases it. */
export async function haltSource(
  db: Database,
  { id }: Pick<StoredSource, 'id'>,
  reason: HaltReason,
  now: number,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const halted = await transaction
      .updateTable('irrigation_source')
      .set({ halted_ms: now, halted_for: reason, ...NOT_DRY })
      .where('id', '=', id)
      .where('halted_ms', 'is', null)
      .executeTakeFirst()
    if (halted.numUpdatedRows === 0n) return
    for (const run of await listActiveRuns(transaction, [id])) {
      const next = runTransitions[run.state].halt
      if (next) await moveRun(transaction, run, next, null, reason)
    }
  })
}

/** Releases a leak or a halt. False if there is none. */
export async function releaseSource(
  transaction: Transaction<Tables>,
  id: number,
  what: 'leak' | 'halt',
): Promise<boolean> {
  const change =
    what === 'leak'
      ? { leak_ms: null, leak_m3_h: null, leak_since_ms: null, leak_seen_ms: null }
      : { halted_ms: null, halted_for: null, ...NOT_DRY, master_tries: 0 }
  const released = await transaction
    .updateTable('irrigation_source')
    .set(change)
    .where('id', '=', id)
    .where(what === 'leak' ? 'leak_ms' : 'halted_ms', 'is not', null)
    .executeTakeFirst()
  return released.numUpdatedRows > 0n
}

/** Columns of a master valve. */
export interface MasterChange {
  readonly master_state?: MasterState
  readonly master_opened_ms?: number | null
  readonly master_sent_ms?: number | null
  readonly master_refused_ms?: number | null
  readonly master_free_ms?: number | null
  readonly master_batch?: string | null
  readonly master_tries?: number
}

/**
 * Changes the master valve of a source. Changes nothing and returns false if the valve is in another state than
 * expected, if another replica has the source now, or if the valve should open while the source is halted.
 */
export async function changeMaster(
  db: Database | Transaction<Tables>,
  { id, master }: Pick<StoredSource, 'id' | 'master'>,
  worker: string,
  change: MasterChange,
): Promise<boolean> {
  let update = db
    .updateTable('irrigation_source')
    .set(change)
    .where('id', '=', id)
    .where('worker', '=', worker)
    .where('master_state', '=', master.state)
  if (change.master_state === 'opening') update = update.where('halted_ms', 'is', null)
  return (await update.executeTakeFirst()).numUpdatedRows > 0n
}
