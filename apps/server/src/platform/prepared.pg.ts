import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import type { Database } from './database.pg.ts'

/**
 * A statement that PostgreSQL reads and plans once a connection, for what is asked all the time. Only for those that
 * are as quick by a plan which knows no values: never by a list, or by how a text begins (ADR 34).
 */
export interface PreparedStatement {
  /** Of this statement alone. */
  readonly name: string
  readonly text: string
}

const pools = new WeakMap<Database, pg.Pool>()

/** Lets the statements of a database be prepared on connections of their own. */
export const prepareIn = (db: Database, pool: pg.Pool): void => {
  pools.set(db, pool)
}

/** Rows of a prepared statement; within a transaction of one that is not. */
export async function runPrepared<Row extends pg.QueryResultRow>(
  db: Database,
  { name, text }: PreparedStatement,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const pool = pools.get(db)
  if (pool === undefined) return (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows
  return (await pool.query<Row>({ name, text, values: [...values] })).rows
}
