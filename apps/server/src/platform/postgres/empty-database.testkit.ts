import { createTestDatabase } from '@isotherm/engines/testkit'
import { createLog } from '../log.ts'
import { createDatabase } from './database.pg.ts'

/** A new PostgreSQL database without tables, and a connection pool to it. */
export async function startEmptyDatabase() {
  const { url, drop } = await createTestDatabase()
  const db = createDatabase({ databaseUrl: url }, createLog({ logLevel: 'silent' }))
  return {
    db,
    async close() {
      await db.destroy()
      await drop()
    },
  }
}
