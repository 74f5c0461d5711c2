import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { z } from 'zod'
import { keepaliveOptions } from '../postgres/vanished-client.ts'
import { BackupError } from './backup-error.ts'
import type { Manifest } from './manifest.ts'
import type { StoredFile } from './sealed-file.ts'
import { UNFINISHED_RESTORE } from './unfinished-table.pg.ts'

/** Stores the bytes under a name. */
export type Store = (name: string, source: AsyncIterable<Uint8Array>) => Promise<StoredFile>

export type DatabaseContent = Manifest['postgres']

/** Text of values that does not depend on the settings of the server. */
export const TEXT_SETTINGS =
  "set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set bytea_output = 'hex'"

const tableRow = z.object({ name: z.string(), columns: z.array(z.string()) })
const sequenceRow = z.object({ table: z.string(), column: z.string(), value: z.coerce.number().int() })

/** Permanent tables of the schema with their columns, generated ones left out, sorted by name. */
const TABLES = `
  select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
    and c.relname <> '${UNFINISHED_RESTORE}' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  group by c.relname order by c.relname`

/**
 * Sequences that belong to a column and were used. The `case` calls pg_sequence_last_value for sequences only, in whatever order
 * PostgreSQL evaluates the conditions.
 */
const SEQUENCES = `
  select * from (
    select t.relname as table, a.attname as column,
      case when s.relkind = 'S' then pg_sequence_last_value(s.oid::regclass) end as value
    from pg_class s
    join pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
    join pg_class t on t.oid = d.refobjid
    join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
    where s.relnamespace = current_schema()::regnamespace and t.relpersistence = 'p'
  ) found where value is not null order by 1, 2`

const readTables = async (client: pg.Client) => z.array(tableRow).parse((await client.query(TABLES)).rows)

export const isMigrationTable = (name: string): boolean => name.startsWith('migration_')

/** The tables of a database that a backup contains or that a restore fills. */
export async function listTables(client: pg.Client): Promise<readonly z.infer<typeof tableRow>[]> {
  return (await readTables(client)).filter(({ name }) => !isMigrationTable(name))
}

/** Names of the applied changes, by the table that records them. */
export async function listMigrations(client: pg.Client): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const { name } of await readTables(client)) {
    if (!isMigrationTable(name) || name.endsWith('_lock')) continue
    const recorded = await client.query(`select name from ${pg.escapeIdentifier(name)} order by name`)
    found[name] = z
      .array(z.object({ name: z.string() }))
      .parse(recorded.rows)
      .map((row) => row.name)
  }
  return found
}

export const toColumns = (columns: readonly string[]): string => columns.map(pg.escapeIdentifier).join(', ')

/**
 * Opens a connection without time limits: a slow disk or a slow receiver of the backup may stop it for minutes. PostgreSQL
 * frees the locks of one whose machine vanished all the same.
 */
export async function openDatabase(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'isotherm backup',
    keepAlive: true,
    options: keepaliveOptions,
  })
  // The running statement rejects with it as well.
  client.on('error', () => undefined)
  await client.connect()
  await client.query(
    'set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set idle_session_timeout = 0',
  )
  await client.query(TEXT_SETTINGS)
  return client
}

/** Longest wait for one table. It is shorter than deadlock_timeout, so that PostgreSQL ends no migration for a backup. */
const LOCK_TIMEOUT = '500ms'
const LOCK_PAUSE_S = 0.2
/** A change of the schema is awaited for ten minutes. */
const LOCK_ATTEMPTS = 860
/** lock_not_available, undefined_table: the next attempt lists the tables again. */
const retriedCodes = ['55P03', '42P01']

/**
 * Tries once to begin the snapshot. All tables are locked before the snapshot is taken, because a table that is
 * emptied or rewritten later looks empty in an older snapshot; PostgreSQL takes the snapshot at the first query, and
 * these statements are no query. Undefined if some tables could not be locked.
 */
async function tryBeginSnapshot(client: pg.Client, beforeSnapshot: () => void) {
  const locked = (await readTables(client)).map(({ name }) => name)
  if (locked.length === 0) throw new BackupError('the database is empty: there is nothing to back up')
  await client.query('begin isolation level repeatable read read only')
  await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
  await client.query(`lock table ${toColumns(locked)} in access share mode`)
  beforeSnapshot()
  const tables = await readTables(client)
  return tables.every(({ name }) => locked.includes(name)) ? tables : undefined
}

/** Begins the snapshot as soon as no change of the schema runs. Returns the tables of the snapshot, which are all locked. */
async function beginSnapshot(client: pg.Client, beforeSnapshot: () => void) {
  for (let attempt = 0; attempt < LOCK_ATTEMPTS; attempt += 1) {
    try {
      const tables = await tryBeginSnapshot(client, beforeSnapshot)
      if (tables) return tables
    } catch (error) {
      if (!(error instanceof pg.DatabaseError && retriedCodes.includes(error.code ?? ''))) throw error
    }
    await client.query('rollback')
    await client.query(`select pg_sleep(${LOCK_PAUSE_S})`)
  }
  throw new BackupError('the tables are being changed for ten minutes; make the backup when it has ended')
}

/**
 * Copies all tables from one snapshot. It contains all transactions that were committed before the call of `beforeSnapshot`,
 * and each later one either whole or not at all. Others read and write meanwhile; changes of the schema wait.
 */
export async function dumpDatabase(
  databaseUrl: string,
  store: Store,
  { leaveOut, beforeSnapshot }: { readonly leaveOut: readonly string[]; readonly beforeSnapshot: () => void },
): Promise<DatabaseContent> {
  const client = await openDatabase(databaseUrl)
  try {
    const all = await beginSnapshot(client, beforeSnapshot)
    const tables = all.filter(({ name }) => !isMigrationTable(name) && !leaveOut.includes(name))
    const version = z
      .object({ server_version: z.string() })
      .parse((await client.query('show server_version')).rows[0]).server_version
    const migrations = await listMigrations(client)
    const { rows } = await client.query(SEQUENCES)
    const sequences = z.array(sequenceRow).parse(rows)
    const dumped: DatabaseContent['tables'] = []
    for (const { name, columns } of tables) {
      const copy = client.query(copyTo(`copy ${pg.escapeIdentifier(name)} (${toColumns(columns)}) to stdout`))
      const file = `postgres-${name}.zst`
      await store(file, copy)
      dumped.push({ name, columns: [...columns], rows: copy.rowCount ?? 0, file })
    }
    await client.query('commit')
    return { version, migrations, tables: dumped, sequences }
  } finally {
    await client.end()
  }
}
