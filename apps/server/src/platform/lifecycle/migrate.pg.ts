import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Log } from '../log.ts'
import { operationMigrations } from '../operation/migrations.pg.ts'
import type { Database } from '../postgres/database.pg.ts'
import type { ModuleMigrations } from '../postgres/module-migrations.ts'
import { revisionMigrations } from '../signals/revisions.pg.ts'
import type { Tables } from '../tables.ts'
import { refuseNewer } from './newer-schema.ts'
import { findLastVersion, versionMigrations } from './program-versions.pg.ts'

/** The applied changes that a table records. */
async function listRecorded(db: Database, table: string): Promise<readonly string[]> {
  const { rows: found } = await sql`select where to_regclass(${`"${table}"`}) is not null`.execute(db)
  if (found.length === 0) return []
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(table)} order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Whether exactly these migrations are recorded. Kysely checks the same, but with about twenty statements. */
async function isUpToDate(db: Database, table: string, names: readonly string[]): Promise<boolean> {
  const recorded = new Set(await listRecorded(db, table))
  return recorded.size === names.length && names.every((name) => recorded.has(name))
}

/** Throws NewerSchemaError if a newer program changed the tables of one of the modules. */
async function refuseNewerTables(db: Database, modules: readonly ModuleMigrations[]): Promise<void> {
  const known = new Set(listPostgresMigrations(modules))
  const lastVersion = await findLastVersion(db)
  for (const { module } of [...platformMigrations, ...modules]) {
    const table = toTableName(module)
    const recorded = (await listRecorded(db, table)).map((name) => `${table}/${name}`)
    refuseNewer('PostgreSQL', recorded, known, lastVersion)
  }
}

const platformMigrations: readonly ModuleMigrations[] = [
  operationMigrations,
  revisionMigrations,
  versionMigrations,
]

const toTableName = (module: string): string => `migration_${module}`

/** All changes of the schema, as `table that records it/name`. */
export const listPostgresMigrations = (modules: readonly ModuleMigrations[]): readonly string[] =>
  [...platformMigrations, ...modules].flatMap(({ module, migrations }) =>
    Object.keys(migrations).map((name) => `${toTableName(module)}/${name}`),
  )

/**
 * Runs statements on one connection without a limit of their time: a migration of a large table takes minutes, and another
 * replica waits for it.
 */
function withoutTimeout<Result>(
  db: Database,
  work: (connection: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  return db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    try {
      return await work(connection)
    } finally {
      await sql`reset statement_timeout`.execute(connection)
    }
  })
}

/**
 * Updates the schema: the operation log, the revisions, the versions, then the modules in the given order. A module must come after the
 * modules whose tables it refers to. Each migration runs in a transaction under Kysely's advisory lock, so that
 * replicas may start at the same time. Throws NewerSchemaError before any change if a newer program wrote the tables.
 * `isIncluded` limits it to a part of the changes, for the schema of an old backup.
 */
export async function migratePostgres(
  db: Database,
  modules: readonly ModuleMigrations[],
  log: Log,
  isIncluded: (table: string, name: string) => boolean = () => true,
): Promise<void> {
  await refuseNewerTables(db, modules)
  for (const { module, migrations: all } of [...platformMigrations, ...modules]) {
    const migrationTableName = toTableName(module)
    const migrations = Object.fromEntries(
      Object.entries(all).filter(([name]) => isIncluded(migrationTableName, name)),
    )
    const names = Object.keys(migrations)
    if (names.length === 0 || (await isUpToDate(db, migrationTableName, names))) continue
    const { error, results } = await withoutTimeout(db, (connection) =>
      new Migrator({
        db: connection,
        provider: { getMigrations: async () => ({ ...migrations }) },
        migrationTableName,
        migrationLockTableName: `${migrationTableName}_lock`,
      }).migrateToLatest(),
    )
    for (const result of results ?? []) {
      log.info({ module, migration: result.migrationName, status: result.status }, 'migrated PostgreSQL')
    }
    if (error) throw new Error(`cannot migrate the tables of ${module}`, { cause: error })
  }
}
