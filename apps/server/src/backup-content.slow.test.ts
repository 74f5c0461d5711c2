import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestClickhouse, createTestDatabase, type TestDatabase } from '@isotherm/engines/testkit'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coreMigrations } from './core.ts'
import { clickhouseMigrations, laterMigrations } from './modules.ts'
import { checkBackup } from './platform/backup/check-backup.ts'
import { openReadings } from './platform/backup/dump-readings.ch.ts'
import { makeBackup } from './platform/backup/make-backup.ts'
import { restoreBackup } from './platform/backup/restore-backup.ts'
import { listBackups, removeOldBackups } from './platform/backup/retention.ts'
import { migrateClickhouse } from './platform/clickhouse/migrate.ch.ts'
import { migratePostgres } from './platform/lifecycle/migrate.pg.ts'
import { createLog } from './platform/log.ts'
import { createDatabase } from './platform/postgres/database.pg.ts'
import { createTestClock } from './testing/core.testkit.ts'
import { createCoreDatabase } from './testing/core-database.testkit.ts'

const log = createLog({ logLevel: 'silent' })
const schema = { postgres: [...coreMigrations, ...laterMigrations], clickhouse: clickhouseMigrations }
const secrets = { mqtt: 'the secret of all gateways' }

let folder: string
const opened: TestDatabase[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isotherm-backup-'))
})
afterAll(async () => {
  await Promise.all(opened.map((database) => database.drop()))
  await rm(folder, { recursive: true, force: true })
})

async function createStores() {
  const [database, clickhouse] = await Promise.all([createTestDatabase(), createTestClickhouse()])
  opened.push(database, clickhouse)
  return { databaseUrl: database.url, clickhouseUrl: clickhouse.url }
}

/** Stores with the tables of this version, or of one that had fewer. */
async function createFilledStores(isIncluded?: (name: string) => boolean) {
  const [database, clickhouse] = await Promise.all([
    isIncluded ? createTestDatabase() : createCoreDatabase(laterMigrations, 'server'),
    createTestClickhouse(),
  ])
  opened.push(database, clickhouse)
  const stores = { databaseUrl: database.url, clickhouseUrl: clickhouse.url }
  const db = createDatabase(stores, log)
  const client = openReadings(stores.clickhouseUrl)
  try {
    await migratePostgres(db, schema.postgres, log, (table, name) =>
      isIncluded ? isIncluded(`${table}/${name}`) : true,
    )
    await migrateClickhouse(client, schema.clickhouse, log)
    const at = '2026-11-20 00:00:00.000'
    const values = [1, 2, 900].map((device) => ({ device, metric: 1, ts: at, value: device, received: at }))
    await client.insert({ table: 'readings', values, format: 'JSONEachRow' })
    const refusal = { topic: 't', node: 'n', reason: 'foreign-topic', bytes: 'b', size: 1, count: 1 }
    const received = new Date().toISOString().replace('Z', '')
    await client.insert({ table: 'quarantine', values: [{ ...refusal, received }], format: 'JSONEachRow' })
  } finally {
    await client.close()
    await db.destroy()
  }
  return stores
}

async function query(databaseUrl: string, ...texts: readonly string[]): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    let rows: readonly unknown[] = []
    for (const text of texts) rows = (await client.query(text)).rows
    return rows
  } finally {
    await client.end()
  }
}

async function readRows(clickhouseUrl: string, text: string): Promise<unknown> {
  const client = openReadings(clickhouseUrl)
  try {
    return await (await client.query({ query: text, format: 'JSONCompactEachRow' })).json()
  } finally {
    await client.close()
  }
}

type Stores = Awaited<ReturnType<typeof createStores>>
const clock = createTestClock()
/** Makes a backup; every one is a minute later than the one before. */
function backUp(stores: Stores, into: string, key?: string) {
  clock.advance(60_000)
  return makeBackup({
    ...stores,
    into: join(folder, into),
    key,
    secrets,
    version: '0.2.0',
    clock,
    leaveOut: ['backup_run'],
    readingsFirst: ['rollup_marks'],
  })
}

const toRestore = (stores: Stores, from: string) => ({
  ...stores,
  folder: from,
  key: undefined,
  schema,
  log,
  ids: { table: 'device', column: 'id', usedIn: [{ table: 'readings', column: 'device' }] },
})

test('a restored installation has the same rows, continues the ids, and its triggers work', async () => {
  const source = await createFilledStores()
  await query(
    source.databaseUrl,
    "insert into company (name, tenant, time_zone) values ('一号公司', 'one', 'UTC'), (E'with\\ttab, \\\\ and\\nline', 'two', 'UTC')",
    "insert into operation (at, account, endpoint, address, request_id, result, input) values (now(), 'a', 'e', '::1', 'r', 'ok', '{}')",
  )
  const { folder: from, manifest } = await backUp(source, 'same')
  expect(manifest.postgres.tables.find(({ name }) => name === 'backup_run')).toBeUndefined()
  const target = await createStores()
  await restoreBackup(manifest, toRestore(target, from))

  for (const table of ['company', 'operation', 'role', 'revision']) {
    const all = `select t::text from ${table} t order by 1`
    expect(await query(target.databaseUrl, all), table).toEqual(await query(source.databaseUrl, all))
  }
  for (const table of ['readings', 'quarantine']) {
    const all = `SELECT * FROM ${table} ORDER BY ALL`
    expect(await readRows(target.clickhouseUrl, all), table).toEqual(
      await readRows(source.clickhouseUrl, all),
    )
  }
  // The readings know device 900, which the database does not.
  const next = "select nextval(pg_get_serial_sequence('device', 'id'))::int as id"
  expect(await query(target.databaseUrl, next)).toEqual([{ id: 901 }])
  await expect(query(target.databaseUrl, 'delete from operation')).rejects.toThrow('only added to')
  const keys = "select count(*)::int as count from pg_constraint where contype = 'f'"
  expect(await query(target.databaseUrl, keys)).toEqual(await query(source.databaseUrl, keys))
})

test('a transaction that commits during the backup is contained as a whole or not at all', async () => {
  const source = await createFilledStores()
  const isEnded = { now: false }
  const begun = Promise.withResolvers<void>()
  const writing = (async () => {
    for (let pair = 0; !isEnded.now; pair += 1) {
      await query(
        source.databaseUrl,
        'begin',
        `insert into company (name, tenant, time_zone) values ('c${pair}', 'c${pair}', 'UTC')`,
        `insert into operation (at, account, endpoint, address, request_id, result, input)
           values (now(), 'c${pair}', 'e', '::1', 'r', 'ok', '{}')`,
        'commit',
      )
      begun.resolve()
    }
  })()
  await begun.promise
  const { folder: from, manifest } = await backUp(source, 'during')
  isEnded.now = true
  await writing
  const target = await createStores()
  await restoreBackup(manifest, toRestore(target, from))
  const [counts] = await query(
    target.databaseUrl,
    'select (select array_agg(name order by name) from company) as a, (select array_agg(account order by account) from operation) as b',
  )
  expect(counts).toMatchObject({ a: expect.any(Array) })
  expect(Object.values(counts ?? {})[0]).toEqual(Object.values(counts ?? {})[1])
})

test('a backup of an older version is restored and updated to this one', async () => {
  const source = await createFilledStores(
    (name) => !name.startsWith('migration_system/00') || name < 'migration_system/005',
  )
  const { folder: from, manifest } = await backUp(source, 'older')
  expect(manifest.postgres.migrations.migration_system).not.toContain('005_backup_runs')
  const target = await createStores()
  await restoreBackup(manifest, toRestore(target, from))
  expect(await query(target.databaseUrl, 'select count(*)::int as count from backup_run')).toEqual([
    { count: 0 },
  ])
})

test('a restore that fails leaves the stores empty', async () => {
  const source = await createFilledStores()
  const { folder: from, manifest } = await backUp(source, 'failing')
  const target = await createStores()
  const [first, ...rest] = manifest.postgres.tables.toReversed()
  if (!first) throw new Error('there are no tables')
  const wrong = [...rest, { ...first, rows: first.rows + 1 }]
  const changed = { ...manifest, postgres: { ...manifest.postgres, tables: wrong } }
  await expect(restoreBackup(changed, toRestore(target, from))).rejects.toThrow(/rows in the backup instead/)
  await restoreBackup(manifest, toRestore(target, from))
})

test('a second backup of one database at the same time is refused', async () => {
  const source = await createFilledStores()
  const both = await Promise.allSettled([backUp(source, 'first'), backUp(source, 'second')])
  const refused = both.filter((one) => one.status === 'rejected')
  expect(refused.map(({ reason }) => String(reason))).toEqual([
    expect.stringContaining('another backup of this database runs'),
  ])
})

test('the newest backups are retained, and what is no complete backup is never removed', async () => {
  const source = await createFilledStores()
  const names = []
  for (let count = 0; count < 3; count += 1) {
    const { folder: made } = await backUp(source, 'retained', 'a key of the tests with many characters')
    names.unshift(made.slice(-25))
  }
  const into = join(folder, 'retained')
  await rm(join(into, names[2] ?? '', 'manifest.json'))
  expect(await listBackups(into)).toEqual(names.slice(0, 2))
  expect(await removeOldBackups(into, 0, clock.now())).toEqual([])
  expect(await removeOldBackups(into, 1, clock.now())).toEqual([names[1]])
  expect((await readdir(into)).toSorted()).toEqual([names[0], names[2]].toSorted())
  await expect(checkBackup(join(into, names[0] ?? ''), undefined)).rejects.toThrow('is encrypted')
})
