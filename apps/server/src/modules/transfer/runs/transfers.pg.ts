import type { ReadingMapping } from '@isotherm/contract/endpoints/devices/reading-mapping'
import type { Limiter } from '@isotherm/contract/filter'
import {
  type RowVerdict,
  type TransferKind,
  type TransferSheet,
  transferSheet,
} from '@isotherm/contract/transfer'
import { DAY_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { type SqlBool, sql } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { toOffset } from '../../../platform/postgres/filter.pg.ts'
import { toStorableJson } from '../../../platform/postgres/storable-json.ts'
import type { FaultParams } from '../sheets/texts.ts'
import { statesBefore } from './state-machine.ts'
import type { StoredRow, StoredTransfer } from './stored-transfer.ts'
// Declares this module's tables for the types of the queries.
import type {} from './tables.ts'

const transferColumns = [
  'transfer.id',
  'transfer.kind',
  'transfer.version',
  'transfer.account_id as accountId',
  'transfer.company_id as companyId',
  'transfer.file_name as fileName',
  'transfer.size_bytes as sizeBytes',
  'transfer.state',
  'transfer.dry_run as dryRun',
  'transfer.operation_id as operationId',
  'transfer.done',
  'transfer.total',
  'transfer.added',
  'transfer.changed',
  'transfer.unchanged',
  'transfer.failed',
  'transfer.fault',
  'transfer.attempts',
  'transfer.mapping',
  'transfer.resume_row as resumeRow',
  'transfer.created_at as createdAt',
] as const

const faultParams = sql<FaultParams>`transfer.fault_params`.as('faultParams')

const transfers = (db: Database) => db.selectFrom('transfer').select(transferColumns).select(faultParams)

/** Reads an import. Throws transfer.not-found: another upload may have replaced it, or it was too old. */
export const getTransfer = (db: Database, id: number): Promise<StoredTransfer> =>
  transfers(db)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new AppError('transfer.not-found'))

export async function listTransfers(
  db: Database,
  accountId: number,
  { id, kind }: { readonly id: number | undefined; readonly kind: TransferKind },
  limiter: Limiter,
): Promise<{ readonly rows: readonly StoredTransfer[]; readonly total: number }> {
  const own = <Query extends ReturnType<typeof transfers>>(query: Query) =>
    query.where('account_id', '=', accountId).where('state', '<>', 'uploading')
  const query =
    id === undefined ? own(transfers(db)).where('kind', '=', kind) : own(transfers(db)).where('id', '=', id)
  const counted = await query
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirst()
  const rows = await query.orderBy('id', 'desc').limit(limiter.size).offset(toOffset(limiter)).execute()
  return { rows, total: counted?.count ?? 0 }
}

const SHEET_ORDER = sql`array_position(${[...transferSheet.options]}::text[], sheet)`

export async function listRows(
  db: Database,
  id: number,
  verdict: RowVerdict | undefined,
  limiter: Limiter,
): Promise<{ readonly rows: readonly StoredRow[]; readonly total: number }> {
  const isReasonRequested = verdict === undefined ? sql`verdict is not null` : sql`verdict = ${verdict}`
  const { rows } = await sql<StoredRow>`
    select sheet, row, cells, subject, verdict, reason, reason_params as "reasonParams"
    from transfer_row where transfer_id = ${id} and ${isReasonRequested}
    order by ${SHEET_ORDER}, row limit ${limiter.size} offset ${toOffset(limiter)}`.execute(db)
  const counted = await sql<{ count: number }>`
    select count(*) from transfer_row where transfer_id = ${id} and ${isReasonRequested}`.execute(db)
  return { rows, total: counted.rows[0]?.count ?? 0 }
}

/** Failed rows of a sheet with the same reason code. `params` are those of the first. */
export interface StoredCause {
  readonly sheet: TransferSheet
  readonly rows: number
  readonly reason: string
  readonly params: FaultParams
  readonly isSame: boolean
  readonly first: number[]
}

const MAX_FIRST = 5

/** Failed rows by sheet and reason, most rows first. */
export async function listCauses(db: Database, id: number): Promise<readonly StoredCause[]> {
  const { rows } = await sql<StoredCause>`
    select sheet, reason, count(*) as rows, (array_agg(reason_params order by row))[1] as params,
      count(distinct reason_params) = 1 as "isSame", (array_agg(row order by row))[1:${sql.lit(MAX_FIRST)}] as first
    from transfer_row where transfer_id = ${id} and verdict = 'failed'
    group by sheet, reason order by count(*) desc, min(row)`.execute(db)
  return rows
}

const ROWS_PER_READ = 1_000

/** Reads the failed rows of one sheet, in order. */
export async function* readFailedRows(
  db: Database,
  id: number,
  sheet: TransferSheet,
): AsyncGenerator<StoredRow> {
  for (let last = 0; ; ) {
    const { rows } = await sql<StoredRow>`
      select sheet, row, cells, subject, verdict, reason, reason_params as "reasonParams" from transfer_row
      where transfer_id = ${id} and sheet = ${sheet} and verdict = 'failed' and row > ${last}
      order by row limit ${ROWS_PER_READ}`.execute(db)
    yield* rows
    const end = rows.at(-1)
    if (!end) return
    last = end.row
  }
}

/** Imports retained per account. */
const MAX_PER_ACCOUNT = 10
const RETENTION_MS = 7 * DAY_MS
/** An upload must end within a minute; an older one belongs to a server that was stopped. */
const UPLOAD_TIMEOUT_MS = 3 * MINUTE_MS

const isRunning = sql<SqlBool>`state in ('checking', 'importing')`

/** Removes imports older than a week, and uploads that were interrupted. */
export async function sweepTransfers(db: Database, now: number): Promise<void> {
  await sql`
    delete from transfer where not ${isRunning} and (created_at < ${new Date(now - RETENTION_MS)}
      or state = 'uploading' and created_at < ${new Date(now - UPLOAD_TIMEOUT_MS)})`.execute(db)
}

/** Removes the oldest imports of an account and kind, so that one more stays within the limit. */
export async function makeRoom(db: Database, accountId: number, kind: TransferKind): Promise<void> {
  await sql`
    delete from transfer where not ${isRunning} and state <> 'uploading' and id in (
      select id from transfer where account_id = ${accountId} and kind = ${kind} order by id desc
      offset ${MAX_PER_ACCOUNT - 1})`.execute(db)
}

/** Starts an upload of readings and returns its id. It replaces an unfinished one of the account. */
export async function addReadingsUpload(
  db: Database,
  { accountId, fileName, now }: { accountId: number; fileName: string; now: number },
): Promise<number> {
  await sql`delete from transfer where account_id = ${accountId} and kind = 'readings' and state = 'uploading'`.execute(
    db,
  )
  const { rows } = await sql<{ id: number }>`
    insert into transfer (account_id, kind, file_name, state, created_at)
    values (${accountId}, 'readings', ${fileName}, 'uploading', ${new Date(now)})
    on conflict (account_id, kind) where state = 'uploading' do nothing returning id`.execute(db)
  const [row] = rows
  if (!row) throw new AppError('transfer.uploading')
  return row.id
}

/** The upload of readings that a first part started; undefined if it ended or is another account's. */
export async function findReadingsUpload(
  db: Database,
  accountId: number,
  id: number,
): Promise<{ readonly sizeBytes: number } | undefined> {
  const { rows } = await sql<{ sizeBytes: number }>`
    select size_bytes as "sizeBytes" from transfer
    where id = ${id} and account_id = ${accountId} and kind = 'readings' and state = 'uploading'`.execute(db)
  return rows[0]
}

/**
 * Records how much of an upload is stored. Sending a part again does not reduce it. The upload counts as interrupted
 * only if no part arrives for some time.
 */
export async function continueUpload(
  db: Database,
  id: number,
  sizeBytes: number,
  now: number,
): Promise<void> {
  await sql`
    update transfer set size_bytes = greatest(size_bytes, ${sizeBytes}::bigint), created_at = ${new Date(now)}
    where id = ${id} and state = 'uploading'`.execute(db)
}

/** Starts an upload and returns its id. Throws transfer.uploading during another upload of the account. */
export async function addTransfer(
  db: Database,
  accountId: number,
  fileName: string,
  now: number,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into transfer (account_id, file_name, state, created_at)
    values (${accountId}, ${fileName}, 'uploading', ${new Date(now)})
    on conflict (account_id, kind) where state = 'uploading' do nothing returning id`.execute(db)
  const [row] = rows
  if (!row) throw new AppError('transfer.uploading')
  return row.id
}

export async function removeTransfer(db: Database, id: number): Promise<void> {
  await db.deleteFrom('transfer').where('id', '=', id).execute()
}

/** Marks an upload as complete. */
export async function endUpload(db: Database, id: number, sizeBytes: number): Promise<void> {
  await db
    .updateTable('transfer')
    .set({ state: 'uploaded', size_bytes: sizeBytes })
    .where('id', '=', id)
    .where('state', 'in', [...statesBefore('uploaded')])
    .execute()
}

/** Starts a run. All its changes belong to the current operation. `mapping`: of a file of readings. */
export async function startRun(
  db: Database,
  id: number,
  { companyId, dryRun, mapping }: { companyId: number; dryRun: boolean; mapping?: ReadingMapping },
): Promise<void> {
  await sql`delete from transfer_cause where transfer_id = ${id}`.execute(db)
  await sql`delete from transfer_failed where transfer_id = ${id}`.execute(db)
  await sql`
    update transfer set state = 'checking', dry_run = ${dryRun}, company_id = ${companyId},
      operation_id = nullif(current_setting('isotherm.operation', true), '')::bigint,
      mapping = ${mapping === undefined ? null : toStorableJson(mapping)}::jsonb, resume_row = 0,
      done = 0, total = 0, added = 0, changed = 0, unchanged = 0, failed = 0, attempts = 0,
      worker = null, lease_until = null
    where id = ${id}`.execute(db)
}

export async function cancel(db: Database, id: number): Promise<void> {
  await db
    .updateTable('transfer')
    .set({ state: 'cancelled', worker: null, lease_until: null })
    .where('id', '=', id)
    .execute()
}

/** Zone of a company, or of the first one for staff of the provider. */
export async function findTimeZone(db: Database, companyId: number | undefined): Promise<string> {
  const { rows } = await sql<{ zone: string }>`
    select time_zone as zone from company where ${companyId ?? null}::bigint is null or id = ${companyId ?? null}
    order by id limit 1`.execute(db)
  return rows[0]?.zone ?? 'UTC'
}
