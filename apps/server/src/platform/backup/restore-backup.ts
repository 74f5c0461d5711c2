import { createClickhouse } from '../clickhouse/clickhouse.ch.ts'
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

/** The schema of this version. */
export interface Schema {
  readonly postgres: readonly ModuleMigrations[]
  readonly clickhouse: readonly ClickhouseMigrations[]
}

export interface RestoreOptions {
  readonly databaseUrl: string
  readonly clickhouseUrl: string
  readonly folder: string
  readonly key: string | undefined
  readonly schema: Schema
  readonly log: Log
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
  { databaseUrl, clickhouseUrl, schema, log }: RestoreOptions,
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
  const clickhouse = createClickhouse({ clickhouseUrl })
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
 * Fills empty stores from a checked backup: creates the tables as they were at its time, loads the rows, and then updates
 * the tables to this version. A device that was registered after the snapshot of the database may have readings, so the
 * ids of devices continue after the largest one in the readings: no later device gets the readings of another. If it
 * fails, the stores are empty again.
 */
export async function restoreBackup(manifest: Manifest, options: RestoreOptions): Promise<void> {
  const { databaseUrl, clickhouseUrl, folder, ids } = options
  const key = manifest.isEncrypted ? options.key : undefined
  requireKnownSchema(manifest, options.schema)
  await requireEmptyDatabase(databaseUrl)
  await requireEmptyReadings(clickhouseUrl)
  const fetch = (name: string) => readSealed(folder, name, key)
  try {
    await migrateBoth(options, manifest)
    await loadReadings(clickhouseUrl, manifest.clickhouse, fetch)
    await loadDatabase(databaseUrl, manifest.postgres, fetch)
    const value = await findLargest(clickhouseUrl, ids.usedIn)
    if (value > 0) await raiseSequence(databaseUrl, { table: ids.table, column: ids.column, value })
    await migrateBoth(options)
  } catch (error) {
    await emptyDatabase(databaseUrl)
    await emptyReadings(clickhouseUrl)
    throw error
  }
}
