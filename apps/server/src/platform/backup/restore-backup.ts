import { createClickhouse } from '../clickhouse/clickhouse.ch.ts'
import type { ClickhouseCluster } from '../clickhouse/cluster.ts'
import type { ClickhouseMigrations } from '../clickhouse/migrate.ch.ts'
import { migrateClickhouse } from '../clickhouse/migrate.ch.ts'
import { listPostgresMigrations, migratePostgres } from '../lifecycle/migrate.pg.ts'
import type { Log } from '../log.ts'
import { createDatabase } from '../postgres/database.pg.ts'
import type { ModuleMigrations } from '../postgres/module-migrations.ts'
import { BackupError } from './backup-error.ts'
import { emptyDatabase, loadDatabase, raiseSequence, requireEmptyDatabase } from './load-database.pg.ts'
import { emptyReadings, findLargest, loadReadings, requireEmptyReadings } from './load-readings.ch.ts'
import type { Manifest } from './manifest.ts'
import { readSealed } from './sealed-file.ts'
import { findUnfinished, markUnfinished, unmarkUnfinished, withRestoreLock } from './unfinished-restore.pg.ts'

/** The schema of this version. */
export interface Schema {
  readonly postgres: readonly ModuleMigrations[]
  readonly clickhouse: readonly ClickhouseMigrations[]
}

export interface RestoreOptions {
  readonly databaseUrl: string
  readonly clickhouseUrl: string
  readonly clickhouseCluster?: ClickhouseCluster | undefined
  readonly folder: string
  readonly key: string | undefined
  readonly schema: Schema
  readonly log: Log
  /** Ends the restore; the stores are empty again. */
  readonly signal?: AbortSignal | undefined
  /** The sequence of ids that the columns of ClickHouse contain. */
  readonly ids: {
    readonly table: string
    readonly column: string
    readonly usedIn: readonly { readonly table: string; readonly column: string }[]
  }
}

/** Throws BackupError if the backup contains changes of the schema that this version does not know. */
export function requireKnownSchema(manifest: Manifest, schema: Schema): void {
  const known = new Set([
    ...listPostgresMigrations(schema.postgres),
    ...schema.clickhouse.flatMap(({ module, migrations }) =>
      Object.keys(migrations).map((name) => `clickhouse ${module}/${name}`),
    ),
  ])
  const recorded = [
    ...Object.entries(manifest.postgres.migrations).flatMap(([table, names]) =>
      names.map((name) => `${table}/${name}`),
    ),
    ...manifest.clickhouse.migrations.map((name) => `clickhouse ${name}`),
  ]
  const unknown = recorded.filter((name) => !known.has(name))
  if (unknown.length > 0)
    throw new BackupError(
      `this backup is of Isotherm ${manifest.version}, whose tables are newer than those of this version ` +
        `(${unknown[0]}${unknown.length > 1 ? ` and ${unknown.length - 1} more` : ''}); restore it with that version or a newer one`,
    )
}

async function migrateBoth(
  { databaseUrl, clickhouseUrl, clickhouseCluster, schema, log }: RestoreOptions,
  only?: Manifest,
): Promise<void> {
  const db = createDatabase({ databaseUrl }, log)
  try {
    const names = only?.postgres.migrations
    await migratePostgres(db, schema.postgres, log, (table, name) =>
      names === undefined ? true : (names[table]?.includes(name) ?? false),
    )
  } finally {
    await db.destroy()
  }
  const clickhouse = createClickhouse({ clickhouseUrl, clickhouseCluster })
  try {
    const modules = schema.clickhouse.map(({ module, migrations }) => ({
      module,
      migrations: Object.fromEntries(
        Object.entries(migrations).filter(
          ([name]) => only === undefined || only.clickhouse.migrations.includes(`${module}/${name}`),
        ),
      ),
    }))
    await migrateClickhouse(clickhouse, modules, log)
  } finally {
    await clickhouse.close()
  }
}

/**
 * Removes everything from both stores that a failed or killed restore wrote. PostgreSQL has the mark, so it is
 * emptied last: if this fails, the next restore tries again.
 */
async function clear({ databaseUrl, clickhouseUrl, clickhouseCluster }: RestoreOptions): Promise<void> {
  await emptyReadings(clickhouseUrl, clickhouseCluster)
  await emptyDatabase(databaseUrl)
}

async function clearUnfinished(options: RestoreOptions): Promise<void> {
  const left = await findUnfinished(options.databaseUrl, options.clickhouseUrl)
  if (left.readings) await emptyReadings(options.clickhouseUrl, options.clickhouseCluster)
  // If ClickHouse contains readings of another installation, they are not touched and the mark stays.
  await requireEmptyReadings(options.clickhouseUrl, options.clickhouseCluster)
  if (left.database) await emptyDatabase(options.databaseUrl)
}

async function clearAfter(error: unknown, options: RestoreOptions): Promise<never> {
  try {
    await clear(options)
  } catch (cause) {
    const why = error instanceof Error ? error.message : String(error)
    throw new BackupError(
      `${why}; what was written could not be removed, the next restore into the same stores does it`,
      { cause },
    )
  }
  throw error
}

async function fill(manifest: Manifest, options: RestoreOptions): Promise<void> {
  const { databaseUrl, clickhouseUrl, clickhouseCluster, folder, ids, signal } = options
  const key = manifest.isEncrypted ? options.key : undefined
  async function* fetch(name: string): AsyncGenerator<Uint8Array> {
    for await (const part of readSealed(folder, name, key)) {
      if (signal?.aborted) throw new BackupError('it was ended before it was whole')
      yield part
    }
  }
  await migrateBoth(options, manifest)
  await loadReadings(clickhouseUrl, manifest.clickhouse, fetch, clickhouseCluster)
  await loadDatabase(databaseUrl, manifest.postgres, fetch)
  const value = await findLargest(clickhouseUrl, ids.usedIn, clickhouseCluster)
  if (value > 0) await raiseSequence(databaseUrl, { table: ids.table, column: ids.column, value })
  await migrateBoth(options)
}

/**
 * Fills empty stores from a checked backup: creates the tables as they were at its time, loads the rows, and then updates
 * the tables to this version. A device that was registered after the snapshot of the database may have readings, so the
 * ids of devices continue after the largest one in the readings: no later device gets the readings of another. If it
 * fails, the stores are empty again; after a kill the next restore into the same stores empties them. Meanwhile they are
 * marked, and no server uses them.
 */
export const restoreBackup = (manifest: Manifest, options: RestoreOptions): Promise<void> =>
  withRestoreLock(options.databaseUrl, async () => {
    const { databaseUrl, clickhouseUrl } = options
    requireKnownSchema(manifest, options.schema)
    await clearUnfinished(options)
    await requireEmptyDatabase(databaseUrl)
    await markUnfinished(databaseUrl, clickhouseUrl)
    try {
      await fill(manifest, options)
      await unmarkUnfinished(databaseUrl)
    } catch (error) {
      await clearAfter(error, options)
    }
  })
