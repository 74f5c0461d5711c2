import { createGate, type Gate } from '@isotherm/kernel/gate'
import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import type { Database } from './database.pg.ts'
import { type HeldConnection, holdConnection } from './dedicated-connection.pg.ts'

/**
 * A statement that PostgreSQL reads and plans once a connection, for what is asked all the time. Only for those that
 * are as quick by a plan which knows no values: never by a list, or by how a text begins (ADR 34).
 */
export interface PreparedStatement {
  /** Of this statement alone. */
  readonly name: string
  readonly text: string
  /** Whether it takes longer than what every call begins with, which has a connection to itself. */
  readonly givesWay?: boolean
}

interface Prepared {
  readonly pool: pg.Pool
  readonly held: HeldConnection
  readonly giveWay: Gate
}

const preparedOf = new WeakMap<Database, Prepared>()

/**
 * Lets the statements of a database be prepared on connections of their own, of which there are `count`: one is held
 * for those that give no way. Returns how to give that one back.
 */
export function prepareIn(db: Database, pool: pg.Pool, count: number): () => void {
  const held = holdConnection(pool)
  preparedOf.set(db, { pool, held, giveWay: createGate({ running: count - 1 }) })
  return held.release
}

/** Rows of a prepared statement; within a transaction of one that is not. */
export async function runPrepared<Row extends pg.QueryResultRow>(
  db: Database,
  { name, text, givesWay }: PreparedStatement,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const prepared = preparedOf.get(db)
  if (prepared === undefined) return (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows
  const { pool, held, giveWay } = prepared
  const query = { name, text, values: [...values] }
  return (await (givesWay ? giveWay(() => pool.query<Row>(query)) : held.query<Row>(query))).rows
}
