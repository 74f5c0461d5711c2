import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import type { Database } from '../postgres/database.pg.ts'
import { startEmptyDatabase } from '../postgres/empty-database.testkit.ts'
import { migratePostgres } from './migrate.pg.ts'
import { findLastVersion, listProgramVersions, recordProgramVersion } from './program-versions.pg.ts'

let db: Database
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await startEmptyDatabase())
})
afterAll(() => close())

const log = createLog({ logLevel: 'silent' })
const at = (day: number): Date => new Date(Date.UTC(2026, 10, day))
const start = (version: string, day: number) => recordProgramVersion(db, version, at(day).getTime())

test('data have no version before a program recorded itself, then a row for each change of the version', async () => {
  expect(await findLastVersion(db)).toBeUndefined()
  await migratePostgres(db, [], log)
  expect(await findLastVersion(db)).toBeUndefined()
  await start('0.3.0', 1)
  await start('0.3.0', 2)
  await Promise.all([start('0.4.0', 3), start('0.4.0', 3)])
  await start('0.3.0', 4)
  expect(await listProgramVersions(db, 10)).toEqual([
    { version: '0.3.0', started_at: at(4) },
    { version: '0.4.0', started_at: at(3) },
    { version: '0.3.0', started_at: at(1) },
  ])
  expect(await findLastVersion(db)).toBe('0.3.0')
})

test('a program that is older than the tables names the last version that started on them', async () => {
  const later = { module: 'tried', migrations: { '001_later': { up: async () => undefined } } }
  await migratePostgres(db, [later], log)
  await start('0.5.0', 5)
  await expect(migratePostgres(db, [{ module: 'tried', migrations: {} }], log)).rejects.toThrow(
    /\(migration_tried\/001_later; last started with version 0\.5\.0\)(?:.|\n)*001_later；最后启动的版本 0\.5\.0/,
  )
})
