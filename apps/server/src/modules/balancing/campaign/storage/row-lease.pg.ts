import { sql, type Transaction } from 'kysely'
import type { Database } from '../../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../../platform/tables.ts'
import type {} from './tables.ts'

/** What was looked at is another replica's now, or somebody changed it: whoever notices leaves it. */
export class LostLease extends Error {
  override readonly name: string = 'LostLease'
}

/** Rows that replicas look at in turn, and the states in which something is to be done or waited for. */
export interface LeasedRows {
  readonly table: 'campaign' | 'strategy'
  readonly states: readonly string[]
}

/** Who takes rows, when, and until when no other does; Unix ms. */
export interface Claim {
  readonly worker: string
  readonly now: number
  readonly leaseUntil: number
  readonly limit: number
}

const isRunning = ({ states }: LeasedRows) =>
  sql`state in (${sql.join(states.map((state) => sql.lit(state)))})`

/** Takes the rows that are to be looked at and that nobody looks at; their numbers. */
export async function takeRows(
  db: Database,
  rows: LeasedRows,
  { worker, now, leaseUntil, limit }: Claim,
): Promise<readonly number[]> {
  const table = sql.table(rows.table)
  const taken = await sql<{ id: number }>`
    update ${table} set worker = ${worker}, lease_until_ms = ${leaseUntil}::bigint
    where id in (
      select id from ${table} where ${isRunning(rows)} and look_ms <= ${now}
        and (worker is null or lease_until_ms <= ${now})
      order by look_ms limit ${limit} for no key update skip locked)
    returning id`.execute(db)
  return taken.rows.map(({ id }) => id)
}

/** Holds a row for the transaction at hand; false when it is lost. */
export async function holdRow(
  transaction: Transaction<Tables>,
  rows: LeasedRows,
  id: number,
  worker: string,
): Promise<boolean> {
  const held = await sql`
    select from ${sql.table(rows.table)} where id = ${id} and worker = ${worker} and ${isRunning(rows)}
    for no key update`.execute(transaction)
  return held.rows.length > 0
}

/** Lets go of a row; it is looked at again at an instant, Unix ms. */
export async function letGoRow(
  db: Database,
  { table }: LeasedRows,
  id: number,
  worker: string,
  lookAt: number,
): Promise<void> {
  await sql`
    update ${sql.table(table)} set worker = null, lease_until_ms = null, look_ms = ${lookAt}
    where id = ${id} and worker = ${worker}`.execute(db)
}
