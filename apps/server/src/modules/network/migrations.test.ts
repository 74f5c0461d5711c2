import { createTestDatabase, type TestDatabase } from '@isotherm/engines/testkit'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type Database } from '../../platform/database.pg.ts'
import { createLog } from '../../platform/log.ts'
import { migratePostgres } from '../../platform/migrate.pg.ts'
import { networkMigrations } from './migrations.pg.ts'

const log = createLog({ logLevel: 'silent' })

let database: TestDatabase
let db: Database

beforeAll(async () => {
  database = await createTestDatabase()
  db = createDatabase({ databaseUrl: database.url }, log)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

test('names stored before there was a search can be searched after the upgrade', async () => {
  const first = Object.entries(networkMigrations.migrations).slice(0, 1)
  await migratePostgres(db, [{ module: 'network', migrations: Object.fromEntries(first) }], log)
  await sql`insert into company (tenant, name, time_zone) values ('old', 'x', 'Asia/Shanghai')`.execute(db)
  await sql`
    insert into node (company_id, key, kind, level, name, path, nestaddr, sort_path)
    values (1, 'p', 'project', 1, '和源热力集团', '/1/', '和源热力集团', '0000')`.execute(db)
  await migratePostgres(db, [networkMigrations], log)
  expect(await db.selectFrom('tree_name').selectAll().execute()).toEqual([
    {
      ...{ company_id: 1, level: 1, name: '和源热力集团', plain: '和源热力集团', folded: '和源热力集团' },
      ...{ pinyin: 'heyuanrelijituan', initials: 'hyrljt' },
    },
  ])
})
