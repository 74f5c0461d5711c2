/** Backup and restore as their own processes, on real engines. */
import { createHash } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestClickhouse, createTestDatabase, type TestDatabase } from '@isotherm/engines/testkit'
import type { MqttClient } from 'mqtt'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { CONCENTRATORS, countRows, sendLoad, VALUES } from './modules/telemetry/load.testkit.ts'
import { startTestServer, type TestServer } from './modules/telemetry/server.testkit.ts'
import { type ClickHouseClient, createClickhouse } from './platform/clickhouse/clickhouse.ch.ts'
import { type Ended, runProgram } from './testing/run-program.testkit.ts'

const KEY = 'a key of the tests, long enough for a backup\n'
const TOTAL = 1_800

interface Stores {
  readonly DATABASE_URL: string
  readonly CLICKHOUSE_URL: string
}
const opened: TestDatabase[] = []
async function createStores(): Promise<Stores> {
  const [database, clickhouse] = await Promise.all([createTestDatabase(), createTestClickhouse()])
  opened.push(database, clickhouse)
  return { DATABASE_URL: database.url, CLICKHOUSE_URL: clickhouse.url }
}

/** Rows of a query, as text. */
async function select(databaseUrl: string, query: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return (await client.query(query)).rows
  } finally {
    await client.end()
  }
}

// Backups run at the lowest priority: beside other tests they wait for the processor.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

let folder: string
let stores: Stores
let server: TestServer
let clients: MqttClient[]
/** The backup that was made during the load, and what was acknowledged when it began. */
let backup: string
let acknowledged: ReadonlySet<string>
let made: Ended
const keyFile = () => join(folder, 'backup.key')
const restoreWords = (from = backup) => ['--from', from, '--key-file', keyFile()]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isotherm-backup-'))
  await writeFile(keyFile(), KEY)
  stores = await createStores()
  server = await startTestServer(CONCENTRATORS, {
    databaseUrl: stores.DATABASE_URL,
    clickhouseUrl: stores.CLICKHOUSE_URL,
  })
  clients = await Promise.all(Array.from({ length: CONCENTRATORS }, (_, index) => server.connect(index)))
  await sendLoad({
    clients,
    total: TOTAL,
    disturbances: [
      {
        at: 0.3,
        async act(done) {
          acknowledged = done
          made = await runProgram('backup.ts', stores, [
            '--to',
            join(folder, 'backups'),
            '--key-file',
            keyFile(),
          ])
        },
      },
    ],
  })
  const [name = ''] = await readdir(join(folder, 'backups'))
  backup = join(folder, 'backups', name)
})
afterAll(async () => {
  for (const client of clients ?? []) client.end(true)
  await server?.close()
  await Promise.all(opened.map((database) => database.drop()))
  await rm(folder, { recursive: true, force: true })
})

async function withReadings<T>(url: string, work: (client: ClickHouseClient) => Promise<T>): Promise<T> {
  const client = createClickhouse({ clickhouseUrl: url })
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

test('a backup during the load ends with its counts, and only its owner can read it', async () => {
  expect(made.code, made.output).toBe(0)
  expect(made.output).toMatch(/\d+ rows of PostgreSQL, \d+ rows of ClickHouse.*made and checked/)
  expect((await stat(backup)).mode & 0o777).toBe(0o700)
  for (const name of await readdir(backup))
    expect((await stat(join(backup, name))).mode & 0o777, name).toBe(0o600)
})

test('restored into empty stores, everything acknowledged before is there, and a server answers', async () => {
  expect(acknowledged.size).toBeGreaterThan(100)
  expect(acknowledged.size).toBeLessThan(TOTAL)
  const target = await createStores()
  const restored = await runProgram('restore.ts', target, restoreWords())
  expect(restored.code, restored.output).toBe(0)
  expect(restored.messages).toEqual([{ secrets: { mqtt: 'a secret of the tests only' } }])

  const stored = await withReadings(target.CLICKHOUSE_URL, countRows)
  expect([...acknowledged].filter((key) => stored.get(key) !== VALUES)).toEqual([])

  // Every table is the same; the accounts and the registry did not change during the load.
  for (const table of ['account', 'node', 'device', 'role', 'role_permission', 'operation'])
    expect(await select(target.DATABASE_URL, `select t::text from ${table} t order by 1`), table).toEqual(
      await select(stores.DATABASE_URL, `select t::text from ${table} t order by 1`),
    )

  // The next server of these stores accepts new readings of the same gateways and shows the restored ones.
  const second = await startTestServer(CONCENTRATORS, {
    databaseUrl: target.DATABASE_URL,
    clickhouseUrl: target.CLICKHOUSE_URL,
  })
  try {
    expect((await fetch(`${second.httpUrl()}/readyz`)).status).toBe(200)
    const client = await second.connect(0)
    const before = await select(target.DATABASE_URL, 'select count(*) from device')
    await client.publishAsync(
      'hx/v1/demo/n0/up/telemetry',
      JSON.stringify({
        v: 1,
        boot: 500,
        seq: 0,
        ts: Date.now(),
        d: [{ id: 'n0s', ts: Date.now(), m: { 'temp.room': 21 } }],
      }),
      { qos: 1 },
    )
    client.end(true)
    expect((await withReadings(target.CLICKHOUSE_URL, countRows)).get('500:0')).toBe(1)
    expect(await select(target.DATABASE_URL, 'select count(*) from device')).toEqual(before)
  } finally {
    await second.close()
  }
})

test('ids of devices that only the readings know are not given out again', async () => {
  const target = await createStores()
  const source = await createStores()
  const first = await startTestServer(1, {
    databaseUrl: source.DATABASE_URL,
    clickhouseUrl: source.CLICKHOUSE_URL,
  })
  await first.close()
  // As if device 900 had been registered after the snapshot of the database.
  await withReadings(source.CLICKHOUSE_URL, (client) =>
    client.insert({
      table: 'readings',
      values: [
        {
          device: 900,
          metric: 1,
          ts: '2026-11-20 00:00:00.000',
          value: 1,
          quality: 0,
          received: '2026-11-20 00:00:00.000',
          node: 1,
          boot: 1,
          seq: 1,
          live: 1,
          months: 1,
        },
      ],
      format: 'JSONEachRow',
    }),
  )
  const to = join(folder, 'orphans')
  const dumped = await runProgram('backup.ts', source, ['--to', to])
  expect(dumped.code, dumped.output).toBe(0)
  expect(dumped.output).toContain('Not encrypted')
  const [name = ''] = await readdir(to)
  const restored = await runProgram('restore.ts', target, ['--from', join(to, name)])
  expect(restored.code, restored.output).toBe(0)
  expect(
    await select(target.DATABASE_URL, "select nextval(pg_get_serial_sequence('device', 'id'))::int as id"),
  ).toEqual([{ id: 901 }])
})

/** The refusal of a restore, which leaves the stores as they are. */
async function expectRefusal(words: readonly string[], line: RegExp, target?: Stores): Promise<void> {
  const empty = target ?? (await createStores())
  const count = "select count(*)::int as count from pg_class where relnamespace = 'public'::regnamespace"
  const before = await select(empty.DATABASE_URL, count)
  const refused = await runProgram('restore.ts', empty, words)
  expect(refused.output).toMatch(line)
  expect(refused.output.split('\n')).toHaveLength(1)
  expect(refused.code).toBe(1)
  expect(await select(empty.DATABASE_URL, count)).toEqual(before)
}

test('a damaged or incomplete backup is found before anything is written', async () => {
  const copy = join(folder, 'damaged')
  const target = await createStores()
  const files = (await readdir(backup)).filter((name) => name.startsWith('clickhouse-readings-'))
  for (const name of [files[0] ?? '', 'postgres-device.zst', 'secrets.zst', 'manifest.json']) {
    await cp(backup, copy, { recursive: true })
    const bytes = await readFile(join(copy, name))
    bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] ?? 0) ^ 1
    await writeFile(join(copy, name), bytes)
    await expectRefusal(restoreWords(copy), /^restore: .*(damaged|does not fit)/, target)
    await rm(copy, { recursive: true })
  }
  await cp(backup, copy, { recursive: true })
  await rm(join(copy, 'postgres-account.zst'))
  await expectRefusal(restoreWords(copy), /damaged: postgres-account\.zst cannot be read/, target)
  await rm(join(copy, 'manifest.json'))
  await expectRefusal(restoreWords(copy), /is no complete backup: manifest\.json cannot be read/, target)
})

test('a wrong key, a missing key and other secrets are refused', async () => {
  const target = await createStores()
  const other = join(folder, 'other.key')
  await writeFile(other, 'another key of the tests, long enough too')
  await expectRefusal(['--from', backup, '--key-file', other], /the key is not that of this backup/, target)
  await expectRefusal(['--from', backup], /this backup is encrypted: name its key with --key-file/, target)
  await writeFile(other, 'short')
  await expectRefusal(['--from', backup, '--key-file', other], /shorter than 32 characters/, target)
  const env = { ...target, ISOTHERM_MQTT_SECRET: 'quite another secret' }
  const refused = await runProgram('restore.ts', env, restoreWords())
  expect(refused.output).toMatch(/ISOTHERM_MQTT_SECRET is another one than in the backup/)
})

test('stores that are not empty are refused and stay as they are', async () => {
  const before = await withReadings(stores.CLICKHOUSE_URL, countRows)
  const empty = await createStores()
  const readings = /the ClickHouse database is not empty: .*nothing was changed/
  const registry = /the database is not empty: .*nothing was changed/
  await expectRefusal(restoreWords(), readings, stores)
  await expectRefusal(restoreWords(), readings, { ...empty, CLICKHOUSE_URL: stores.CLICKHOUSE_URL })
  await expectRefusal(restoreWords(), registry, { ...empty, DATABASE_URL: stores.DATABASE_URL })
  expect(await withReadings(stores.CLICKHOUSE_URL, countRows)).toEqual(before)
})

/** Writes a copy of an unencrypted backup with another manifest. */
async function withManifest(change: (manifest: Record<string, unknown>) => object): Promise<string> {
  const [name = ''] = await readdir(join(folder, 'orphans'))
  const copy = await mkdtemp(join(folder, 'changed-'))
  await cp(join(folder, 'orphans', name), copy, { recursive: true })
  const file = join(copy, 'manifest.json')
  const manifest = z.record(z.string(), z.unknown()).parse(JSON.parse(await readFile(file, 'utf8')))
  const text = JSON.stringify(change(manifest))
  await writeFile(file, text)
  await writeFile(join(copy, 'manifest.seal'), createHash('sha256').update(text).digest('hex'))
  return copy
}

test('a backup of a newer format or with unknown tables is refused with the version that reads it', async () => {
  const newer = await withManifest((manifest) => ({ ...manifest, format: 2, version: '7.1.0' }))
  await expectRefusal(
    ['--from', newer],
    /has format 2 of Isotherm 7\.1\.0; this version reads formats up to 1/,
  )
  const unknown = await withManifest((manifest) => ({
    ...manifest,
    version: '7.1.0',
    clickhouse: { ...z.object({}).loose().parse(manifest.clickhouse), migrations: ['telemetry/099-later'] },
  }))
  await expectRefusal(['--from', unknown], /tables are newer .*clickhouse telemetry\/099-later/)
})
