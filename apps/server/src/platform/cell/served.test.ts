import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestCore, type TestCore } from '../../testing/core.testkit.ts'
import { toCell } from '../config/cell.ts'
import { createLog } from '../log.ts'
import { createDatabase, type Database } from '../postgres/database.pg.ts'
import type { Cell } from './cell.ts'
import { isServed, isServedDevice, listUnknownTenants } from './served.pg.ts'

let core: TestCore
const opened: Database[] = []

/** Connections of a server that serves these tenants. */
function connect(cell: Cell | undefined, databaseUrl = core.config.databaseUrl): Database {
  const db = createDatabase({ databaseUrl, cell }, createLog({ logLevel: 'silent' }))
  opened.push(db)
  return db
}

beforeAll(async () => {
  core = await createTestCore()
  await sql`insert into company (tenant, name, time_zone) values ('north', 'north', 'UTC'), ('a.b-c_d', 'x', 'UTC')`.execute(
    core.db,
  )
})
afterAll(async () => {
  for (const db of opened) await db.destroy()
  await core.close()
})

const listServed = async (db: Database) =>
  (
    await db.selectFrom('company').select('tenant').where(isServed('company.id')).orderBy('tenant').execute()
  ).map(({ tenant }) => tenant)

test('every connection of a server serves the companies of its cell, and without a cell all', async () => {
  const north = connect(toCell(['north']))
  // More queries at once than there were connections.
  const answers = await Promise.all(Array.from({ length: 8 }, () => listServed(north)))
  expect(answers).toEqual(Array(8).fill(['north']))
  expect(await listServed(connect(toCell(['a.b-c_d', 'demo'])))).toEqual(['a.b-c_d', 'demo'])
  expect(await listServed(connect(undefined))).toEqual(['a.b-c_d', 'demo', 'north'])
})

test('a device is served with its company', async () => {
  const count = async (db: Database) =>
    (await db.selectFrom('device').select('id').where(isServedDevice('device.id')).execute()).length
  expect(await count(connect(toCell(['north'])))).toBe(0)
  expect(await count(connect(toCell(['demo'])))).toBe(await count(connect(undefined)))
})

test('tenants that no company has are found, and connections that hide the cell are refused', async () => {
  const cell = toCell(['north', 'zero'])
  expect(await listUnknownTenants(connect(cell), cell)).toEqual(['zero'])
  const url = new URL(core.config.databaseUrl)
  url.searchParams.set('options', '-c work_mem=8MB')
  await expect(listUnknownTenants(connect(cell, url.href), cell)).rejects.toThrow('DATABASE_URL has options')
})
