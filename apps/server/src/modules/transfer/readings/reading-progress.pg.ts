import { MAX_FAILED_ROWS } from '@isotherm/contract/endpoints/devices/reading-mapping'
import { sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { toStorableJson } from '../../../platform/postgres/storable-json.ts'
import { lockRun } from '../runs/lease.pg.ts'
import type { FaultParams } from '../sheets/texts.ts'

/** A failed row of a file. */
export interface FailedRow {
  readonly row: number
  readonly cells: readonly string[]
  readonly reason: string
  readonly params: FaultParams
}

/** What a batch of rows adds to the counts of its import. Verdicts count readings. */
export interface BatchResult {
  readonly added: number
  readonly unchanged: number
  /** Failed readings, and rows without any. */
  readonly failed: number
  readonly faults: readonly FailedRow[]
  /** Last row of the batch. */
  readonly lastRow: number
  /** Rows up to here, and the estimated number of all rows. */
  readonly done: number
  readonly total: number
}

const MAX_FIRST = 5

/** The causes of a batch, by reason. */
function toCauses(faults: readonly FailedRow[]) {
  return [...Map.groupBy(faults, ({ reason }) => reason)].map(([reason, given]) => {
    const texts = new Set(given.map(({ params }) => JSON.stringify(params)))
    return {
      reason,
      rows: given.length,
      params: given[0]?.params ?? {},
      is_same: texts.size === 1,
      first: given.slice(0, MAX_FIRST).map(({ row }) => row),
    }
  })
}

/**
 * Saves the result of a batch, all or nothing, and sets the number of attempts to 0, because attempts are counted per
 * batch. Throws LostRun.
 */
export async function saveBatch(db: Database, id: number, worker: string, batch: BatchResult): Promise<void> {
  const { added, unchanged, failed, faults, lastRow, done, total } = batch
  await db.transaction().execute(async (transaction) => {
    await lockRun(transaction, id, worker)
    await sql`
      update transfer set added = added + ${added}, unchanged = unchanged + ${unchanged}, failed = failed + ${failed},
        resume_row = ${lastRow}, done = ${done}, total = ${total}, attempts = 0 where id = ${id}`.execute(
      transaction,
    )
    if (faults.length === 0) return
    await sql`
      insert into transfer_cause (transfer_id, reason, rows, params, is_same, first)
      select ${id}, reason, rows, params, is_same, first from jsonb_to_recordset(${toStorableJson(toCauses(faults))}::jsonb)
        given (reason text, rows integer, params jsonb, is_same boolean, first integer[])
      on conflict (transfer_id, reason) do update set rows = transfer_cause.rows + excluded.rows,
        is_same = transfer_cause.is_same and excluded.is_same and transfer_cause.params = excluded.params,
        first = (transfer_cause.first || excluded.first)[1:${sql.lit(MAX_FIRST)}]`.execute(transaction)
    await sql`
      insert into transfer_failed (transfer_id, row, cells, reason, params)
      select ${id}, row, cells, reason, params from jsonb_to_recordset(${toStorableJson(faults)}::jsonb)
        given (row integer, cells jsonb, reason text, params jsonb)
      limit greatest(0, ${MAX_FAILED_ROWS} - (select count(*) from transfer_failed where transfer_id = ${id}))
      on conflict do nothing`.execute(transaction)
  })
}

/** Sets the number of rows of a file that has been read to its end. */
export async function saveTotal(db: Database, id: number, total: number): Promise<void> {
  await sql`update transfer set done = ${total}, total = ${total} where id = ${id}`.execute(db)
}

/** Removes the stored file of an import that has ended. */
export async function removeFile(db: Database, id: number): Promise<void> {
  await sql`delete from transfer_file where transfer_id = ${id}`.execute(db)
}

/** Failed rows by cause, most rows first. */
export async function listReadingCauses(db: Database, id: number) {
  const { rows } = await sql<{
    readonly rows: number
    readonly reason: string
    readonly params: FaultParams
    readonly isSame: boolean
    readonly first: number[]
  }>`
    select rows, reason, params, is_same as "isSame", first from transfer_cause
    where transfer_id = ${id} order by rows desc, reason`.execute(db)
  return rows.map((row) => ({ sheet: 'readings' as const, ...row }))
}

const ROWS_PER_READ = 1_000

/** The stored failed rows, in order. */
export async function* readFailed(db: Database, id: number): AsyncGenerator<FailedRow> {
  for (let last = 0; ; ) {
    const { rows } = await sql<FailedRow>`
      select row, cells, reason, params from transfer_failed where transfer_id = ${id} and row > ${last}
      order by row limit ${ROWS_PER_READ}`.execute(db)
    yield* rows
    const end = rows.at(-1)
    if (!end) return
    last = end.row
  }
}
