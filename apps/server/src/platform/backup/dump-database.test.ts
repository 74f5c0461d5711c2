import type { TestDatabase } from '@isotherm/engines/testkit'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCoreDatabase } from '../../testing/core-database.testkit.ts'
import { dumpDatabase, openDatabase } from './dump-database.pg.ts'
import type { StoredFile } from './sealed-file.ts'

let database: TestDatabase
let other: pg.Client
beforeEach(async () => {
  database = await createCoreDatabase()
  other = new pg.Client({ connectionString: database.url })
  await other.connect()
})
afterEach(async () => {
  await other.end()
  await database.drop()
})

/** Reads the bytes and keeps nothing. */
async function discard(name: string, source: AsyncIterable<Uint8Array>): Promise<StoredFile> {
  let bytes = 0
  for await (const part of source) bytes += part.length
  return { name, bytes, sha256: '' }
}

const dump = (store = discard) =>
  dumpDatabase(database.url, store, { leaveOut: [], beforeSnapshot: () => {} })

/** A connection that is in a transaction reads the same activity again and again, so this has one of its own. */
async function waitUntilBackupWaits(): Promise<void> {
  const watcher = new pg.Client({ connectionString: database.url })
  await watcher.connect()
  const waiting = `select count(*)::int as count from pg_stat_activity
    where wait_event_type = 'Lock' and application_name = 'isotherm backup'`
  try {
    await expect
      .poll(async () => (await watcher.query(waiting)).rows[0]?.count, { timeout: 30_000, interval: 10 })
      .toBe(1)
  } finally {
    await watcher.end()
  }
}

test('a table that a change of the schema empties and fills again beside the backup is contained', async () => {
  await other.query('create table numbers (n integer); insert into numbers select generate_series(1, 1000)')
  await other.query('begin; alter table numbers add column half integer')
  const dumping = dump()
  await waitUntilBackupWaits()
  await other.query('truncate numbers; insert into numbers select n, n / 2 from generate_series(1, 999) n')
  await other.query('commit')
  expect((await dumping).tables.find(({ name }) => name === 'numbers')).toMatchObject({
    rows: 999,
    columns: ['n', 'half'],
  })
})

test('a table that is created while the backup waits for another is contained', async () => {
  await other.query('create table first (n integer)')
  await other.query('begin; alter table first add column m integer')
  const dumping = dump()
  await waitUntilBackupWaits()
  await other.query('create table second as select 7 as n; commit')
  expect((await dumping).tables.find(({ name }) => name === 'second')).toMatchObject({ rows: 1 })
})

test('the locks of a backup whose machine vanished end, those of a slow one stay', async () => {
  const client = await openDatabase(database.url)
  try {
    const { rows } = await client.query(
      "select setting from pg_settings where name in ('tcp_keepalives_idle', 'tcp_user_timeout') order by name",
    )
    expect(rows).toEqual([{ setting: '60' }, { setting: '0' }])
  } finally {
    await client.end()
  }
})

test('a backup ends when its disk is full in the middle of a large table', async () => {
  await other.query("create table large as select repeat('x', 1000) as text from generate_series(1, 100000)")
  const full = new Error('no space left on device')
  const dumping = dump(async (name, source) => {
    if (name !== 'postgres-large.zst') return discard(name, source)
    for await (const _part of source) throw full
    throw new Error('the table is empty')
  })
  await expect(dumping).rejects.toThrow(full)
})
