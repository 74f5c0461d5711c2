import { createTestDatabase, type TestDatabase } from '@isotherm/engines/testkit'
import { coreMigrations } from './core.ts'
import { createDatabase } from './platform/database.pg.ts'
import { createLog } from './platform/log.ts'
import { migratePostgres } from './platform/migrate.pg.ts'

/** A database with the core's tables, and nothing in them. */
export const createCoreDatabase = (): Promise<TestDatabase> =>
  createTestDatabase({
    name: 'core',
    async make(databaseUrl) {
      const log = createLog({ logLevel: 'silent' })
      const db = createDatabase({ databaseUrl }, log)
      try {
        await migratePostgres(db, coreMigrations, log)
      } finally {
        await db.destroy()
      }
    },
  })
