import { sql, type Transaction, type Updateable } from 'kysely'
import type { Tables } from '../tables.ts'
import { lockVersion, toStale, type Versioned } from './lock-version.pg.ts'

/** A row that each owner, such as a node or a device, has at most once. */
interface Setting<Table extends keyof Tables & string> extends Omit<Versioned, 'table' | 'id'> {
  readonly table: Table
  /** The owner's table and id, and the column that refers to it. */
  readonly of: {
    readonly table: keyof Tables & string
    readonly id: number
    readonly column: keyof Tables[Table] & string
  }
}

/** Writes the setting of an owner, based on a version; 0 for the first. Throws entity.stale. */
export async function writeSetting<Table extends keyof Tables & string>(
  transaction: Transaction<Tables>,
  { of, ...versioned }: Setting<Table>,
  values: Updateable<Tables[Table]>,
): Promise<void> {
  const table = sql.table(versioned.table)
  // The lock serializes concurrent first changes.
  await sql`select from ${sql.table(of.table)} where id = ${of.id} for no key update`.execute(transaction)
  const { rows } = await sql<{ id: number }>`
    select id from ${table} where ${sql.ref(of.column)} = ${of.id}`.execute(transaction)
  const [row] = rows
  const seen = { ...versioned, id: row?.id ?? 0 }
  const columns = Object.entries(values)
  if (row) {
    await lockVersion(transaction, seen)
    const set = columns.map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
    await sql`update ${table} set ${sql.join(set)} where id = ${row.id}`.execute(transaction)
    return
  }
  if (versioned.version !== 0) throw await toStale(transaction, seen)
  const names = [of.column, ...columns.map(([column]) => column)].map((column) => sql.ref(column))
  const given = [of.id, ...columns.map(([, value]) => value)]
  await sql`insert into ${table} (${sql.join(names)}) values (${sql.join(given)})`.execute(transaction)
}
