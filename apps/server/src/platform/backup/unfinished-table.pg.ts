import { sql } from 'kysely'
import type { Database } from '../postgres/database.pg.ts'

/** Table of a database into which a restore is being made, or was made in part. */
export const UNFINISHED_RESTORE = 'restore_unfinished'

/** Throws if a restore is being made into the database, or was killed: a server would show half an installation. */
export async function refuseUnfinishedRestore(db: Database): Promise<void> {
  const { rows } = await sql`select where to_regclass(${UNFINISHED_RESTORE}) is not null`.execute(db)
  if (rows.length > 0)
    throw new Error('the database contains a restore that is not finished; wait for it, or restore again')
}
