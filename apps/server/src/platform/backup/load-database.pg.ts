import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { z } from 'zod'
import { BackupError } from './backup-error.ts'
import { type DatabaseContent, listTables, openDatabase, toColumns } from './dump-database.pg.ts'

/** Returns the bytes that were stored under a name. */
export type Fetch = (name: string) => AsyncIterable<Uint8Array>

const foreignKeyRow = z.object({ table: z.string(), name: z.string(), definition: z.string() })

const FOREIGN_KEYS = `
  select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
  from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace
    and conparentid = 0 order by 1, 2`

const quote = pg.escapeIdentifier

/** Throws BackupError unless the database has no table at all. */
export async function requireEmptyDatabase(databaseUrl: string): Promise<void> {
  const client = await openDatabase(databaseUrl)
  try {
    const { rows } = await client.query(
      "select count(*)::int as count from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'",
    )
    const { count } = z.object({ count: z.number() }).parse(rows[0])
    if (count > 0)
      throw new BackupError(
        `the database is not empty: it has ${count} tables. A restore needs an empty database; nothing was changed`,
      )
  } finally {
    await client.end()
  }
}

/** Removes what an interrupted restore left in a database that was empty before. */
export async function emptyDatabase(databaseUrl: string): Promise<void> {
  const client = await openDatabase(databaseUrl)
  const own = 'current_schema()::regnamespace'
  try {
    await client.query(`do $$ declare it record; begin
      for it in select oid::regclass as name from pg_class where relnamespace = ${own} and relkind = 'r' loop
        execute 'drop table if exists ' || it.name || ' cascade';
      end loop;
      for it in select oid::regprocedure as name from pg_proc where pronamespace = ${own}
        and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e') loop
        execute 'drop function if exists ' || it.name || ' cascade';
      end loop;
    end $$`)
  } finally {
    await client.end()
  }
}

async function requireSameTables(client: pg.Client, content: DatabaseContent): Promise<void> {
  const here = new Map((await listTables(client)).map(({ name, columns }) => [name, new Set(columns)]))
  for (const { name, columns } of content.tables) {
    const found = here.get(name)
    const fits = found?.size === columns.length && columns.every((column) => found.has(column))
    if (!fits)
      throw new BackupError(`table ${name} of the backup does not fit to the one that its changes create`)
  }
}

async function loadTables(client: pg.Client, content: DatabaseContent, fetch: Fetch): Promise<void> {
  for (const { name, columns, rows, file } of content.tables) {
    const copy = client.query(copyFrom(`copy ${quote(name)} (${toColumns(columns)}) from stdin`))
    await pipeline(fetch(file), copy)
    if (copy.rowCount !== rows)
      throw new BackupError(`table ${name} has ${copy.rowCount} rows in the backup instead of ${rows}`)
  }
}

/**
 * Fills the tables that the same migrations created, in one transaction. No trigger runs, so that the operation log and
 * the versions are those of the backup; foreign keys are checked at the end. Needs no superuser, only the owner of the
 * tables.
 */
export async function loadDatabase(
  databaseUrl: string,
  content: DatabaseContent,
  fetch: Fetch,
): Promise<void> {
  const client = await openDatabase(databaseUrl)
  try {
    await client.query('begin')
    await requireSameTables(client, content)
    const tables = (await listTables(client)).map(({ name }) => quote(name))
    const found = await client.query(FOREIGN_KEYS)
    const foreignKeys = z.array(foreignKeyRow).parse(found.rows)
    for (const { table, name } of foreignKeys)
      await client.query(`alter table ${table} drop constraint ${quote(name)}`)
    for (const table of tables) await client.query(`alter table ${table} disable trigger user`)
    // Migrations insert rows, which are part of the backup.
    await client.query(`truncate ${tables.join(', ')}`)
    await loadTables(client, content, fetch)
    for (const { table, name, definition } of foreignKeys)
      await client.query(`alter table ${table} add constraint ${quote(name)} ${definition}`)
    for (const table of tables) await client.query(`alter table ${table} enable trigger user`)
    for (const { table, column, value } of content.sequences)
      await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [quote(table), column, value])
    await client.query('commit')
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

/** Raises the sequence of a column, so that it never gives out a number up to `value` again. */
export async function raiseSequence(
  databaseUrl: string,
  { table, column, value }: DatabaseContent['sequences'][number],
): Promise<void> {
  const client = await openDatabase(databaseUrl)
  try {
    const sequence = 'pg_get_serial_sequence($1, $2)'
    await client.query(
      `select setval(${sequence}, greatest($3, coalesce(pg_sequence_last_value(${sequence}::regclass), 1)))`,
      [quote(table), column, value],
    )
  } finally {
    await client.end()
  }
}
