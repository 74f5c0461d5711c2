import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Config } from './config.ts'
import type { Log } from './log.ts'
import type { Tables } from './tables.ts'

export type Database = Kysely<Tables>

const INT8 = 20

/**
 * A pool of connections. A lost connection is logged and replaced; a statement ends after 20 s, waiting for
 * a free connection after 5 s. Queries fail while the server is away and work again when it is back.
 */
export function createDatabase(config: Pick<Config, 'databaseUrl'>, log: Log): Database {
  // Ids and counts stay far below 2^53, so they are plain numbers here.
  pg.types.setTypeParser(INT8, Number)
  const pool = new pg.Pool({
    connectionString: config.databaseUrl,
    max: 12,
    connectionTimeoutMillis: 5_000,
    // A new connection knows no table yet: its first statements take several times as long.
    idleTimeoutMillis: 300_000,
    statement_timeout: 20_000,
    idle_in_transaction_session_timeout: 30_000,
    keepAlive: true,
    application_name: 'isotherm',
  })
  const noteLoss = (error: Error): void => log.warn({ err: error }, 'lost a connection to PostgreSQL')
  pool.on('error', noteLoss)
  // The pool listens to idle connections only; one lost within a transaction would end the process.
  pool.on('connect', (client) => client.on('error', noteLoss))
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

/** Whether the database answers now. */
export async function isAnswering(db: Database): Promise<boolean> {
  await sql`select 1`.execute(db)
  return true
}
