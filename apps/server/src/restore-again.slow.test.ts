/** A restore that is killed or ended can be repeated, and no server starts on an unfinished restore. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestClickhouse, createTestDatabase, type TestDatabase } from '@isotherm/engines/testkit'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { clickhouseMigrations, laterMigrations } from './modules.ts'
import { openReadings } from './platform/backup/dump-readings.ch.ts'
import { migrateClickhouse } from './platform/clickhouse/migrate.ch.ts'
import { createLog } from './platform/log.ts'
import { createCoreDatabase } from './testing/core-database.testkit.ts'
import { runProgram } from './testing/run-program.testkit.ts'
import { childEnvironment, MQTT_SECRET } from './testing/server-process.testkit.ts'

interface Stores {
  readonly DATABASE_URL: string
  readonly CLICKHOUSE_URL: string
}

// The backup runs at the lowest priority: beside other tests it waits for the processor.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

let folder: string
let words: readonly string[]
const opened: TestDatabase[] = []

function open([database, clickhouse]: readonly [TestDatabase, TestDatabase]): Stores {
  opened.push(database, clickhouse)
  return { DATABASE_URL: database.url, CLICKHOUSE_URL: clickhouse.url }
}
const createStores = async (): Promise<Stores> =>
  open(await Promise.all([createTestDatabase(), createTestClickhouse()]))

async function change(clickhouseUrl: string, query: string): Promise<void> {
  const client = openReadings(clickhouseUrl)
  try {
    await client.command({ query })
  } finally {
    await client.close()
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isotherm-again-'))
  const source = open(
    await Promise.all([createCoreDatabase(laterMigrations, 'server'), createTestClickhouse()]),
  )
  const client = openReadings(source.CLICKHOUSE_URL)
  await migrateClickhouse(client, clickhouseMigrations, createLog({ logLevel: 'silent' }))
  await client.close()
  const { code, output } = await runProgram('backup.ts', source, ['--to', folder])
  expect(code, output).toBe(0)
  words = ['--from', join(folder, (await readdir(folder))[0] ?? '')]
})
afterAll(async () => {
  await Promise.all(opened.map((database) => database.drop()))
  await rm(folder, { recursive: true, force: true })
})

/** Starts a restore; resolves when it has marked the stores, which it does before it writes. */
async function startUntilMarked(stores: Stores): Promise<ChildProcess> {
  const watcher = new pg.Client({ connectionString: stores.DATABASE_URL })
  await watcher.connect()
  const child = spawn(process.execPath, [join(import.meta.dirname, 'restore.ts'), ...words], {
    env: { ...childEnvironment, ISOTHERM_MQTT_SECRET: MQTT_SECRET, ...stores },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const marked = "select to_regclass('restore_unfinished') is not null as found"
  await expect
    .poll(async () => (await watcher.query(marked)).rows[0]?.found, { timeout: 240_000, interval: 5 })
    .toBe(true)
  await watcher.end()
  return child
}

const isEmpty = async (databaseUrl: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const query = "select count(*)::int as count from pg_class where relnamespace = 'public'::regnamespace"
  const { rows } = await client.query(query)
  await client.end()
  return rows[0]?.count === 0
}

test('after a kill no server starts on the stores, and the next restore is complete', async () => {
  const stores = await createStores()
  const child = await startUntilMarked(stores)
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
  const server = await runProgram('main.ts', { ...stores, ISOTHERM_PORT: '0', ISOTHERM_MQTT_PORT: '0' })
  expect(server.output).toContain('the database contains a restore that is not finished')
  expect(server.code).toBe(1)
  const again = await runProgram('restore.ts', stores, words)
  expect(again.code, again.output).toBe(0)
  expect((await runProgram('restore.ts', stores, words)).output).toContain('is not empty')
})

test('a repeated restore does not remove the readings of another installation', async () => {
  const stores = await createStores()
  const child = await startUntilMarked(stores)
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
  const other = await createStores()
  await change(other.CLICKHOUSE_URL, 'CREATE TABLE precious (n UInt8) ENGINE = MergeTree ORDER BY n')
  const mixed = { ...stores, CLICKHOUSE_URL: other.CLICKHOUSE_URL }
  expect((await runProgram('restore.ts', mixed, words)).output).toContain(
    'the ClickHouse database is not empty',
  )
  await change(other.CLICKHOUSE_URL, 'DROP TABLE precious')
  expect((await runProgram('restore.ts', stores, words)).code).toBe(0)
})

test('a restore that gets SIGTERM leaves the stores empty', async () => {
  const stores = await createStores()
  const child = await startUntilMarked(stores)
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await exit).toEqual([1, null])
  expect(await isEmpty(stores.DATABASE_URL)).toBe(true)
})

test('a second restore into the same stores is refused while one runs', async () => {
  const stores = await createStores()
  const client = new pg.Client({ connectionString: stores.DATABASE_URL })
  await client.connect()
  await client.query("select pg_advisory_lock(hashtext('isotherm restore'))")
  const refused = await runProgram('restore.ts', stores, words)
  await client.end()
  expect(refused.output).toContain('another restore into this database runs')
  expect(refused.code).toBe(1)
})
