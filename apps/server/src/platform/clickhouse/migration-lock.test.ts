import { createTestDatabase } from '@isotherm/engines/testkit'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { createDatabase, type Database } from '../postgres/database.pg.ts'
import { withClickhouseLock } from './migration-lock.pg.ts'

const log = createLog({ logLevel: 'silent' })

/** Number of connections that wait for a lock of this database. */
async function countWaiting(db: Database): Promise<number> {
  const { rows } = await sql`select from pg_locks join pg_database on pg_database.oid = pg_locks.database
    where datname = current_database() and locktype = 'advisory' and not granted`.execute(db)
  return rows.length
}

test('of two servers one changes the tables at a time, also after a failure', async () => {
  const database = await createTestDatabase()
  const [one, other] = [database, database].map(({ url }) => createDatabase({ databaseUrl: url }, log))
  if (!one || !other) throw new Error('there are two')
  try {
    const events: string[] = []
    const begun = Promise.withResolvers<void>()
    const failed = withClickhouseLock(one, async () => {
      begun.resolve()
      await expect.poll(() => countWaiting(one)).toBe(1)
      events.push('the first ends')
      throw new Error('the statement failed')
    })
    await begun.promise
    const second = withClickhouseLock(other, async () => void events.push('the second begins'))
    await expect(failed).rejects.toThrow('the statement failed')
    await second
    expect(events).toEqual(['the first ends', 'the second begins'])
  } finally {
    await one.destroy()
    await other.destroy()
    await database.drop()
  }
})
