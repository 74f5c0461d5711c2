import { toLatest } from '@isotherm/kernel/machine/backup-name'
import { type Generated, sql } from 'kysely'
import { BACKUP_LOCK } from '../../../platform/backup/backup-lock.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'

/**
 * One row per backup that was started, whether it succeeded or not. A backup that is refused because another one runs
 * has no row.
 */
interface BackupRunTable {
  readonly id: Generated<number>
  readonly started_at: Date
  /** Absent while it runs. A killed run gets its end when the next one starts. */
  readonly ended_at: Date | null
  /** Size of the backup; absent if it failed. */
  readonly bytes: number | null
  /** Rows of both stores; absent if it failed, and for backups of older versions. */
  readonly rows: number | null
  /** Name of the backup's folder; absent if it failed. */
  readonly name: string | null
  /** Whether all of it was read again and counted. */
  readonly checked: Generated<boolean>
  readonly encrypted: boolean | null
  /** Why it failed, one line. */
  readonly fault: string | null
}

declare module '../../../platform/tables.ts' {
  interface Tables {
    backup_run: BackupRunTable
  }
}

/** The table of the runs. A backup leaves it out: another machine has other backups. */
export const BACKUP_RUNS = 'backup_run'

const INTERRUPTED = 'it was ended before it was whole'

/**
 * Records the start of a backup, under the lock of backups: earlier runs without an end were killed. Returns the id
 * of the run; undefined if the database is from an older version, which has no such table.
 */
export async function beginBackupRun(db: Database, startedAt: number): Promise<number | undefined> {
  const { rows } = await sql`select where to_regclass(${BACKUP_RUNS}) is not null`.execute(db)
  if (rows.length === 0) return undefined
  const at = new Date(startedAt)
  await db
    .updateTable('backup_run')
    .set({ ended_at: at, fault: INTERRUPTED })
    .where('ended_at', 'is', null)
    .execute()
  const { id } = await db
    .insertInto('backup_run')
    .values({
      started_at: at,
      ended_at: null,
      bytes: null,
      rows: null,
      name: null,
      encrypted: null,
      fault: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** What a whole backup contains. */
export interface MadeBackup {
  readonly name: string
  readonly bytes: number
  readonly rows: number
  readonly encrypted: boolean
}

/** Records the end of a run: the backup, which was checked, or why there is none. */
export async function endBackupRun(
  db: Database,
  id: number,
  endedAt: number,
  outcome: MadeBackup | { readonly fault: string },
): Promise<void> {
  await db
    .updateTable('backup_run')
    .set({
      ended_at: new Date(endedAt),
      ...('fault' in outcome ? outcome : { ...outcome, checked: true }),
    })
    .where('id', '=', id)
    .execute()
}

export interface BackupState {
  /** The last backup that succeeded; one that is dated in the future does not count. Unix ms. */
  readonly lastSuccess?: { readonly at: number; readonly name: string; readonly bytes: number }
  /** Only if the last run failed or was killed. */
  readonly lastFault?: { readonly at: number; readonly fault: string }
}

/** The last runs, newest first by id, because a clock can be wrong. */
export const listBackupRuns = (db: Database, size: number) =>
  db.selectFrom('backup_run').selectAll().orderBy('id', 'desc').limit(size).execute()

/** Whether a backup of this database runs, from any machine. */
export async function isBackupRunning(db: Database): Promise<boolean> {
  const { rows } = await sql`
    select from pg_locks where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())
      and (classid::bigint << 32 | objid::bigint) = ${sql.raw(BACKUP_LOCK)}::bigint`.execute(db)
  return rows.length > 0
}

/** Orders runs by id, because a clock can be wrong. */
export async function readBackupState(db: Database, now: number): Promise<BackupState> {
  const [success, [newest, before], isRunning] = await Promise.all([
    db
      .selectFrom('backup_run')
      .limit(1)
      .where('name', 'is not', null)
      .where('started_at', '<=', new Date(toLatest(now)))
      .orderBy('started_at', 'desc')
      .select(['started_at', 'name', 'bytes'])
      .executeTakeFirst(),
    listBackupRuns(db, 2),
    isBackupRunning(db),
  ])
  // While a backup runs, the state is that of the last ended one, so that an alarm is not cleared by each attempt.
  const last = isRunning && newest?.ended_at === null ? before : newest
  const interrupted = last?.ended_at === null ? INTERRUPTED : undefined
  const fault = last?.fault ?? interrupted
  return {
    ...(success && {
      lastSuccess: {
        at: success.started_at.getTime(),
        name: success.name ?? '',
        bytes: Number(success.bytes),
      },
    }),
    ...(last && fault !== undefined && { lastFault: { at: last.started_at.getTime(), fault } }),
  }
}
