import { z } from 'zod'
import { BackupRefused } from './backup-error.ts'
import { openDatabase } from './dump-database.pg.ts'

/** The advisory lock of the one backup that may run. */
export const BACKUP_LOCK = "hashtext('isotherm backup')"

/**
 * Does the work while no other backup of this database runs; PostgreSQL releases the lock when this process is gone.
 * Throws BackupRefused if one runs.
 */
export async function withBackupLock<T>(databaseUrl: string, work: () => Promise<T>): Promise<T> {
  const client = await openDatabase(databaseUrl)
  try {
    const { rows } = await client.query(`select pg_try_advisory_lock(${BACKUP_LOCK}) as locked`)
    if (!z.object({ locked: z.boolean() }).parse(rows[0]).locked)
      throw new BackupRefused('another backup of this database runs; wait for its end')
    return await work()
  } finally {
    await client.end()
  }
}
