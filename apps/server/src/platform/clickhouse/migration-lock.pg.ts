import { sql } from 'kysely'
import type { Database } from '../postgres/database.pg.ts'

const LOCK = "hashtext('isotherm clickhouse migrations')"

/**
 * Does the work while no other server with this database does: ClickHouse has no locks, and of several servers that start
 * together each would queue the same mutation of all rows. The others wait, without a limit of their time. PostgreSQL releases the
 * lock when this process is gone.
 */
export function withClickhouseLock<Result>(db: Database, work: () => Promise<Result>): Promise<Result> {
  return db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    try {
      await sql`select pg_advisory_lock(${sql.raw(LOCK)})`.execute(connection)
      try {
        return await work()
      } finally {
        await sql`select pg_advisory_unlock(${sql.raw(LOCK)})`.execute(connection)
      }
    } finally {
      await sql`reset statement_timeout`.execute(connection)
    }
  })
}
