import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Log } from '../log.ts'
import { operationMigrations } from '../operation/migrations.pg.ts'
import type { Database } from '../postgres/database.pg.ts'
import type { ModuleMigrations } from '../postgres/module-migrations.ts'
import { revisionMigrations } from '../signals/revisions.pg.ts'
import type { Tables } from '../tables.ts'

/** Whether exactly these migrations are recorded. Kysely checks the same, but with about twenty statements. */
async function isUpToDate(db: Database, table: string, names: readonly string[]): Promise<boolean> {
  const { rows: found } = await sql`select where to_regclass(${`"${table}"`}) is not null`.execute(db)
  if (found.length === 0) return false
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(table)}`.execute(db)
  const recorded = new Set(rows.map(({ name }) => name))
  return recorded.size === names.length && names.every((name) => recorded.has(name))
}

const platformMigrations: readonly ModuleMigrations[] = [operationMigrations, revisionMigrations]

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
 * Updates the schema: the operation log, the revisions, then the modules in the given order. A module must come after the
 * modules whose tables it refers to. Each migration runs in a transaction under Kysely's advisory lock, so that
 * replicas may start at the same time. `isIncluded` limits it to a part of the changes, for the schema of an old backup.
 */
export async function migratePostgres(
  db: Database,
  modules: readonly ModuleMigrations[],
  log: Log,
  isIncluded: (table: string, name: string) => boolean = () => true,
): Promise<void> {
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
