import { type TransferSheet, transferProgress } from '@isotherm/contract/transfer'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { toSignal } from '../../../platform/signals/signals.pg.ts'

/** Payload of the signal about the progress of a run. */
export const progressSignal = transferProgress.extend({ accountId: z.number().int() })
type ProgressSignal = z.infer<typeof progressSignal>

/** Signals the progress of a run to all replicas. */
export async function signalProgress(db: Database, id: number): Promise<void> {
  const { rows } = await sql<ProgressSignal>`
    select id, account_id as "accountId", state, done, total, failed from transfer where id = ${id}`.execute(
    db,
  )
  const [progress] = rows
  if (progress) await toSignal('transfer_changed', JSON.stringify(progress)).execute(db)
}

/** Counts the rows by verdict. In an import, rows not yet stored do not count as done. */
export async function countVerdicts(db: Database, id: number, isImport: boolean): Promise<void> {
  await sql`
    update transfer set added = c.added, changed = c.changed, unchanged = c.unchanged, failed = c.failed,
      total = c.total, done = case when ${isImport} then c.unchanged + c.failed + c.stored else c.total end
    from (
      select count(*) filter (where verdict = 'added') as added,
        count(*) filter (where verdict = 'changed') as changed,
        count(*) filter (where verdict = 'unchanged') as unchanged,
        count(*) filter (where verdict = 'failed') as failed,
        count(*) filter (where is_stored) as stored, count(*) as total
      from transfer_row where transfer_id = ${id}) c
    where transfer.id = ${id}`.execute(db)
}

/** Saves how many rows have been read. */
export async function saveReadCount(db: Database, id: number, total: number): Promise<void> {
  await sql`update transfer set total = ${total} where id = ${id}`.execute(db)
}

/** Marks rows as stored. */
export async function markStored(
  db: Database,
  id: number,
  sheet: TransferSheet,
  rows: readonly number[],
): Promise<void> {
  const { numAffectedRows } = await sql`
    update transfer_row set is_stored = true
    where transfer_id = ${id} and sheet = ${sheet} and row = any(${[...rows]}::integer[])
      and verdict in ('added', 'changed') and not is_stored`.execute(db)
  await sql`update transfer set done = done + ${Number(numAffectedRows ?? 0)} where id = ${id}`.execute(db)
}
