import { createGate, type Gate } from '@isotherm/kernel/gate'
import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import type { Database } from './database.pg.ts'
import { createDedicatedConnection, type DedicatedConnection } from './dedicated-connection.pg.ts'

/**
 * A frequent statement that PostgreSQL parses and plans once per connection. Its plan must be fast without knowledge of
 * the values: no lists and no text prefixes (ADR 34).
 */
export interface PreparedStatement {
  /** Unique among prepared statements. */
  readonly name: string
  readonly text: string
  /** True if it takes longer than the statement at the start of every call, which has a dedicated connection. */
  readonly isSlow?: boolean
}

interface Prepared {
  readonly pool: pg.Pool
  readonly dedicated: DedicatedConnection
  readonly slowGate: Gate
}

const preparedOf = new WeakMap<Database, Prepared>()

/**
 * Prepares the statements of a database on `pool`, which has `count` connections; one is dedicated to fast statements.
 * Returns a function that releases the dedicated connection.
 */
export function prepareIn(db: Database, pool: pg.Pool, count: number): () => void {
  const dedicated = createDedicatedConnection(pool)
  preparedOf.set(db, { pool, dedicated, slowGate: createGate({ running: count - 1 }) })
  return dedicated.release
}

/** Runs a prepared statement and returns its rows. Within a transaction the statement is not prepared. */
export async function runPrepared<Row extends pg.QueryResultRow>(
  db: Database,
  { name, text, isSlow }: PreparedStatement,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const prepared = preparedOf.get(db)
  if (prepared === undefined) return (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows
  const { pool, dedicated, slowGate } = prepared
  const query = { name, text, values: [...values] }
  return (await (isSlow ? slowGate(() => pool.query<Row>(query)) : dedicated.query<Row>(query))).rows
}
