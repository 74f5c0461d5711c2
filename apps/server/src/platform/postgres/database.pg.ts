import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { toCellOption } from '../cell/cell.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Tables } from '../tables.ts'
import { watchAnswers } from './answer-watch.pg.ts'
import { prepareIn } from './prepared.pg.ts'
import { vanishedClientOptions } from './vanished-client.ts'

export type Database = Kysely<Tables>

/** Id of the type int8 in PostgreSQL. */
const INT8 = 20

/**
 * Connections for prepared statements. One is reserved for the statement at the start of every call, the others run slow
 * ones.
 */
const PREPARED_CONNECTIONS = 4

/** A database whose `destroy` also ends the connections for prepared statements. */
class PooledDatabase extends Kysely<Tables> {
  readonly #prepared: pg.Pool
  readonly #release: () => void
  readonly #endWatch: () => Promise<void>

  constructor(pool: pg.Pool, prepared: pg.Pool, endWatch: () => Promise<void>) {
    super({ dialect: new PostgresDialect({ pool }) })
    this.#prepared = prepared
    this.#endWatch = endWatch
    this.#release = prepareIn(this, prepared, PREPARED_CONNECTIONS)
  }

  override async destroy(): Promise<void> {
    this.#release()
    await Promise.all([
      super.destroy(),
      this.#endWatch(),
      this.#prepared.ended ? undefined : this.#prepared.end(),
    ])
  }
}

/**
 * A pool of connections. A lost connection is logged and replaced. Time limits: 20 s for a statement, 5 s for the wait for
 * a free connection. Queries fail while PostgreSQL is unavailable and work again once it is back; a silently dropped
 * connection is noticed after seconds (answer-watch.pg.ts). Prepared statements
 * (prepared.pg.ts) use a second pool, whose connections plan each of them once. All connections state the companies that this
 * server serves (cell/served.pg.ts).
 */
export function createDatabase(
  { databaseUrl, cell }: Pick<Config, 'databaseUrl' | 'cell'>,
  log: Log,
): Database {
  // Ids and counts stay far below 2^53, so they are plain numbers here.
  pg.types.setTypeParser(INT8, Number)
  const logLoss = (error: Error): void => log.warn({ err: error }, 'lost a connection to PostgreSQL')
  function openPool(max: number, ...options: readonly string[]): pg.Pool {
    const pool = new pg.Pool({
      connectionString: databaseUrl,
      max,
      connectionTimeoutMillis: 5_000,
      // A new connection has empty catalog caches: its first statements take several times as long.
      idleTimeoutMillis: 300_000,
      statement_timeout: 20_000,
      idle_in_transaction_session_timeout: 30_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 30_000,
      application_name: 'isotherm',
      options: [vanishedClientOptions, toCellOption(cell) ?? '', ...options].join(' '),
    })
    pool.on('error', logLoss)
    // The pool handles errors of idle connections only. Without this, an error within a transaction would end the process.
    pool.on('connect', (client) => client.on('error', logLoss))
    return pool
  }
  const prepared = openPool(PREPARED_CONNECTIONS, '-c plan_cache_mode=force_generic_plan')
  const pool = openPool(12)
  return new PooledDatabase(pool, prepared, watchAnswers([pool, prepared], { databaseUrl, log }))
}

/** Resolves true if the database answers now, and rejects if it does not. */
export async function isAnswering(db: Database): Promise<boolean> {
  await sql`select 1`.execute(db)
  return true
}
