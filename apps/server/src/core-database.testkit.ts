import { createTestDatabase, type TestDatabase } from '@isotherm/engines/testkit'
import { coreMigrations } from './core.ts'
import { createDatabase } from './platform/database.pg.ts'
import { createLog } from './platform/log.ts'
import { type ModuleMigrations, migratePostgres } from './platform/migrate.pg.ts'

/** A database with the core's tables and those of `later`, and nothing in them; a copy of one with that name. */
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
