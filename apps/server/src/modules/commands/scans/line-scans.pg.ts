import { type Selectable, sql, type Transaction } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { LineScanTable } from '../model/tables.ts'

export type LineScanRow = Selectable<LineScanTable>

export const findScan = (db: Database, id: string): Promise<LineScanRow | undefined> =>
  db.selectFrom('line_scan').where('id', '=', id).selectAll().executeTakeFirst()

/** Selects the newest search of a line of a gateway. */
const newestOf = (db: Database, deviceId: number, line: string) =>
  db
    .selectFrom('line_scan')
    .where('device_id', '=', deviceId)
    .where('line', '=', line)
    .selectAll()
    .orderBy('created_ms', 'desc')
    .limit(1)

/** The newest search of a line of a gateway. */
export const findNewestScan = (
  db: Database,
  deviceId: number,
  line: string,
): Promise<LineScanRow | undefined> => newestOf(db, deviceId, line).executeTakeFirst()

/** The newest search of a line that the gateway has accepted, or may still accept, and that it has not reported as ended. */
export const findOpenScan = (
  db: Database,
  deviceId: number,
  line: string,
): Promise<LineScanRow | undefined> =>
  newestOf(db, deviceId, line).where('ended_ms', 'is', null).executeTakeFirst()

/** The newest search of each line of a gateway since an instant, Unix ms. */
export const listNewestScans = (
  db: Database,
  deviceId: number,
  since: number,
): Promise<readonly LineScanRow[]> =>
  db
    .selectFrom('line_scan')
    .distinctOn('line')
    .where('device_id', '=', deviceId)
    .where('created_ms', '>', since)
    .selectAll()
    .orderBy('line')
    .orderBy('created_ms', 'desc')
    .execute()

/**
 * Stores a search, unless one of its line is running: then returns that one. Also deletes the searches from before `retainedSince`, Unix
 * ms.
 */
export async function storeScan(
  transaction: Transaction<Tables>,
  scan: LineScanRow,
  isRunning: (before: LineScanRow) => boolean,
  retainedSince: number,
): Promise<LineScanRow> {
  // Two people who start at once watch the same search.
  await sql`select from device where id = ${scan.device_id} for update`.execute(transaction)
  await transaction.deleteFrom('line_scan').where('created_ms', '<', retainedSince).execute()
  const newest = await findNewestScan(transaction, scan.device_id, scan.line)
  if (newest && isRunning(newest)) return newest
  await transaction.insertInto('line_scan').values(scan).execute()
  return scan
}

/** Stores that a person stops a search. */
export async function storeStop(transaction: Transaction<Tables>, id: string, at: number): Promise<void> {
  await transaction
    .updateTable('line_scan')
    .set({ stop_ms: at })
    .where('id', '=', id)
    .where('stop_ms', 'is', null)
    .execute()
}

/** Content of a reply to a search. */
export type ScanAnswer = Pick<LineScanRow, 'reported_ms' | 'ended_ms' | 'code'> &
  Partial<Pick<LineScanRow, 'requested' | 'of_all' | 'found' | 'known' | 'collisions'>>

/** Stores a reply. A reply to a search that has ended changes nothing. */
export async function storeScanAnswer(db: Database, id: string, answer: ScanAnswer): Promise<void> {
  await db.updateTable('line_scan').set(answer).where('id', '=', id).where('ended_ms', 'is', null).execute()
}
