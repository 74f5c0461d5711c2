import { type Generated, sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'

/** Ends of backups, successful or not. */
interface BackupRunTable {
  readonly id: Generated<number>
  readonly started_at: Date
  readonly ended_at: Date
  /** Size of the backup; absent if it failed. */
  readonly bytes: number | null
  /** Name of the backup's folder; absent if it failed. */
  readonly name: string | null
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

export interface BackupRun {
  /** Unix ms. */
  readonly startedAt: number
  readonly endedAt: number
  readonly backup?: { readonly name: string; readonly bytes: number }
  readonly fault?: string
}

/** Records the end of a backup. Has no effect on a database of an older version, which has no such table. */
export async function recordBackupRun(db: Database, run: BackupRun): Promise<void> {
  const { rows } = await sql`select where to_regclass(${BACKUP_RUNS}) is not null`.execute(db)
  if (rows.length === 0) return
  await db
    .insertInto('backup_run')
    .values({
      started_at: new Date(run.startedAt),
      ended_at: new Date(run.endedAt),
      bytes: run.backup?.bytes ?? null,
      name: run.backup?.name ?? null,
      fault: run.fault ?? null,
    })
    .execute()
}
/** The last backup that succeeded and the last run that failed. */
export interface BackupState {
  /** Unix ms. */
  readonly lastSuccess?: { readonly at: number; readonly name: string; readonly bytes: number }
  readonly lastFault?: { readonly at: number; readonly fault: string }
}

export async function readBackupState(db: Database): Promise<BackupState> {
  const newest = db.selectFrom('backup_run').orderBy('started_at', 'desc').limit(1)
  const [success, failure] = await Promise.all([
    newest.where('fault', 'is', null).select(['started_at', 'name', 'bytes']).executeTakeFirst(),
    newest.where('fault', 'is not', null).select(['started_at', 'fault']).executeTakeFirst(),
  ])
  return {
    ...(success && {
      lastSuccess: {
        at: success.started_at.getTime(),
        name: success.name ?? '',
        bytes: Number(success.bytes),
      },
    }),
    ...(failure && {
      lastFault: { at: failure.started_at.getTime(), fault: failure.fault ?? '' },
    }),
  }
}
