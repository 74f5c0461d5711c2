import { createTestDatabase, type TestDatabase } from '@isotherm/engines/testkit'
import { coreMigrations } from '../core.ts'
import { migratePostgres } from '../platform/lifecycle/migrate.pg.ts'
import { createLog } from '../platform/log.ts'
import { createDatabase } from '../platform/postgres/database.pg.ts'
import type { ModuleMigrations } from '../platform/postgres/module-migrations.ts'

/** An empty database with the core's tables and those of `later`. It is a copy of a template of the given name. */
export const createCoreDatabase = (
  later: readonly ModuleMigrations[] = [],
  name = 'core',
): Promise<TestDatabase> =>
  createTestDatabase({
    name,
    async make(databaseUrl) {
      const log = createLog({ logLevel: 'silent' })
      const db = createDatabase({ databaseUrl }, log)
      try {
        await migratePostgres(db, [...coreMigrations, ...later], log)
      } finally {
        await db.destroy()
      }
    },
  })
