import { createGate, type Gate } from '@isotherm/kernel/gate'
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
  /** Whether it leaves a connection free for the others: it takes longer than what every call begins with. */
  readonly givesWay?: boolean
}

interface Prepared {
  readonly pool: pg.Pool
  readonly giveWay: Gate
}

const preparedOf = new WeakMap<Database, Prepared>()

/** Lets the statements of a database be prepared on connections of their own, of which there are `count`. */
export const prepareIn = (db: Database, pool: pg.Pool, count: number): void => {
  preparedOf.set(db, { pool, giveWay: createGate({ running: count - 1 }) })
}

/** Rows of a prepared statement; within a transaction of one that is not. */
export async function runPrepared<Row extends pg.QueryResultRow>(
  db: Database,
  { name, text, givesWay }: PreparedStatement,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const prepared = preparedOf.get(db)
  if (prepared === undefined) return (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows
  const ask = () => prepared.pool.query<Row>({ name, text, values: [...values] })
  return (await (givesWay ? prepared.giveWay(ask) : ask())).rows
}
