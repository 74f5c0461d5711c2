import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import type { Database } from '../postgres/database.pg.ts'
import { startEmptyDatabase } from '../postgres/empty-database.testkit.ts'
import { migratePostgres } from './migrate.pg.ts'

const log = createLog({ logLevel: 'silent' })

let db: Database
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await startEmptyDatabase())
})
afterAll(() => close())

const done: string[] = []
const change = (name: string): Record<string, Migration> => ({
  [name]: {
    async up() {
      done.push(name)
    },
  },
})
const migrate = (...names: readonly string[]) =>
  migratePostgres(db, [{ module: 'tried', migrations: Object.assign({}, ...names.map(change)) }], log)

test('each migration runs once, also those of a newer version', async () => {
  await migrate('001_first', '002_second')
  await migrate('001_first', '002_second')
  await migrate('001_first', '002_second', '003_third')
  expect(done).toEqual(['001_first', '002_second', '003_third'])
})

test('a schema of a newer version is rejected, whether a migration is missing or replaced', async () => {
  for (const names of [
    ['001_first', '002_second'],
    ['001_first', '002_second', '003_other'],
  ]) {
    const refused = expect(migrate(...names)).rejects
    await refused.toThrow(
      /PostgreSQL are newer than this program \(migration_tried\/003_third\)(?:.|\n)*要回退/,
    )
  }
  const { rows } = await sql`select name from migration_tried order by name`.execute(db)
  expect(rows).toHaveLength(3)
})

test('a migration has no limit of time, and the connection that ran it has its own again', async () => {
  const limits: string[] = []
  const readLimit = async (from: Kysely<never> | Database) => {
    const { rows } = await sql<{
      limit: string
    }>`select current_setting('statement_timeout') as limit`.execute(from)
    limits.push(rows[0]?.limit ?? '')
  }
  const migrations = { '001_limit': { up: readLimit } }
  await migratePostgres(db, [{ module: 'unlimited', migrations }], log)
  expect(limits).toEqual(['0'])
  // All connections of the pool, whichever ran it.
  await Promise.all(Array.from({ length: 12 }, () => db.connection().execute(readLimit)))
  expect(new Set(limits.slice(1))).toEqual(new Set(['20s']))
})
