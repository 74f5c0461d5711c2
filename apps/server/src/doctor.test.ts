import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { promisify } from 'node:util'
import type { TestDatabase } from '@isotherm/engines/testkit'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { laterMigrations } from './modules.ts'
import { checkCertificate, checkServer } from './platform/doctor/check-listeners.ts'
import { judgeClock } from './platform/doctor/clock-difference.ts'
import { readVersion } from './read-version.ts'
import { createServerClickhouse } from './testing/clickhouse-database.testkit.ts'
import { createCoreDatabase } from './testing/core-database.testkit.ts'
import { runProgram } from './testing/run-program.testkit.ts'

let folder: string
let database: TestDatabase
let clickhouse: TestDatabase
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isotherm-doctor-'))
  ;[database, clickhouse] = await Promise.all([
    createCoreDatabase(laterMigrations, 'server'),
    createServerClickhouse(),
  ])
})
afterAll(async () => {
  await Promise.all([database, clickhouse].map((one) => one?.drop()))
  await rm(folder, { recursive: true, force: true })
})

const examine = (env: Readonly<Record<string, string>> = {}) =>
  runProgram('doctor.ts', {
    DATABASE_URL: database.url,
    CLICKHOUSE_URL: clickhouse.url,
    ISOTHERM_DATA: join(folder, 'data'),
    ISOTHERM_PORT: '0',
    ISOTHERM_MQTT_PORT: '0',
    ...env,
  })

test('a sound installation has no fault and exit code 0', async () => {
  await mkdir(join(folder, 'data'), { mode: 0o700, recursive: true })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(
    "insert into program_version (version, started_at) values ('0.3.0', '2026-11-01 08:00Z'), ('0.4.0', '2026-11-28 10:05Z')",
  )
  await client.end()
  const { code, output } = await examine()
  expect(code, output).toBe(0)
  expect(output).toContain(`ok       program: version ${await readVersion()}\n`)
  expect(output).toContain('ok       data: last started with version 0.4.0, since 2026-11-28 10:05 UTC\n')
  expect(output).toContain('ok       tables of PostgreSQL: up to date')
  expect(output).toContain('ok       tables of ClickHouse: up to date')
  expect(output).toMatch(/ok {7}clock of ClickHouse: -?0\.\d s from/)
  expect(output).toContain('WARNING  backups: none are made\n         -> set ISOTHERM_BACKUP_FOLDER')
  expect(output).toMatch(/\n0 faults, \d+ warnings, \d+ fine$/)
})

test('each fault has a line with its remedy, without passwords, and the exit code is 1', async () => {
  const data = join(folder, 'open')
  await mkdir(data)
  await chmod(data, 0o755)
  await writeFile(join(data, 'secrets.json'), '{}', { mode: 0o644 })
  await mkdir(join(folder, 'empty'))
  const { code, output } = await examine({
    DATABASE_URL: 'postgres://me:hidden@127.0.0.1:1/none',
    CLICKHOUSE_URL: 'http://me:hidden@127.0.0.1:1/none',
    MQTT_URL: 'mqtt://me:hidden@127.0.0.1:1',
    ISOTHERM_DATA: data,
    ISOTHERM_BACKUP_FOLDER: join(folder, 'empty'),
  })
  expect(code).toBe(1)
  expect(output).toMatch(/FAULT {4}PostgreSQL: no connection \(.*ECONNREFUSED.*\n {9}-> check DATABASE_URL/)
  expect(output).toMatch(/FAULT {4}ClickHouse: no answer \(.*ECONNREFUSED.*\n {9}-> check CLICKHOUSE_URL/)
  expect(output).toMatch(/FAULT {4}broker: no connection \(.*\n {9}-> check MQTT_URL/)
  expect(output).toMatch(/FAULT {4}secrets of the installation: .*\n {9}-> chmod 600/)
  expect(output).toMatch(/WARNING {2}rights of the data folder: .*\n {9}-> chmod go-rw/)
  expect(output).toMatch(/FAULT {4}backups: .*empty has none/)
  expect(output).not.toContain('hidden')
})

test('settings that cannot be used are one line', async () => {
  const { code, output } = await examine({ ISOTHERM_TIME_ZONE: 'Mars/Olympus' })
  expect(code).toBe(1)
  expect(output).toContain('FAULT    settings: ISOTHERM_TIME_ZONE is no time zone')
})

test('companies that the server should serve and nobody has created are a warning', async () => {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query("insert into company (tenant, name, time_zone) values ('north', 'north', 'UTC')")
  await client.end()
  expect((await examine({ ISOTHERM_TENANTS: 'north' })).output).toContain(
    'ok       companies: this server serves north only',
  )
  const { code, output } = await examine({ ISOTHERM_TENANTS: 'south,north' })
  expect(code, output).toBe(0)
  expect(output).toContain('WARNING  companies: none has the tenant south of ISOTHERM_TENANTS')
})

test('tables of a newer version are a fault, missing changes a warning', async () => {
  const other = await createCoreDatabase(laterMigrations, 'server')
  const client = new pg.Client({ connectionString: other.url })
  await client.connect()
  try {
    await client.query("delete from migration_system where name = '005_backup_runs'")
    expect((await examine({ DATABASE_URL: other.url })).output).toContain(
      'WARNING  tables of PostgreSQL: 1 changes are missing (migration_system/005_backup_runs)',
    )
    await client.query("insert into migration_system (name, timestamp) values ('900_later', 'now')")
    expect((await examine({ DATABASE_URL: other.url })).output).toContain(
      'FAULT    tables of PostgreSQL: newer than this version (migration_system/900_later)',
    )
  } finally {
    await client.end()
    await other.drop()
  }
})

test('the time that an engine needs to answer is no difference of clocks', () => {
  expect(judgeClock('it', 5_000, 1_000, 9_000).state).toBe('ok')
  expect(judgeClock('it', 12_000, 1_000, 9_000)).toMatchObject({
    state: 'warning',
    what: expect.stringContaining('3.0 s'),
  })
  expect(judgeClock('it', 1_000, 61_000, 61_005)).toMatchObject({
    state: 'fault',
    what: expect.stringContaining('-60.0 s'),
  })
})

async function listen(server: ReturnType<typeof createServer> | ReturnType<typeof createTlsServer>) {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

test('another program on the port of the server is found', async () => {
  const other = createServer((_request, response) => response.end('hello'))
  try {
    expect(await checkServer('127.0.0.1', await listen(other))).toMatchObject({
      state: 'fault',
      what: expect.stringContaining('another program answers'),
    })
  } finally {
    other.close()
  }
})

test('a certificate that is not trusted or has expired is a fault', async () => {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const request = 'req -x509 -newkey rsa:2048 -nodes -days 10 -subj /CN=127.0.0.1 -keyout'.split(' ')
  await promisify(execFile)('openssl', [...request, key, '-out', cert])
  const server = createTlsServer({ key: await readFile(key), cert: await readFile(cert) })
  const url = `https://127.0.0.1:${await listen(server)}`
  try {
    expect(await checkCertificate('it', url, Date.now())).toMatchObject({
      state: 'fault',
      what: expect.stringContaining('not trusted'),
    })
    expect(await checkCertificate('it', url, Date.now() + 20 * 86_400_000)).toMatchObject({
      state: 'fault',
      what: expect.stringMatching(/expired 1\d days ago/),
    })
  } finally {
    server.close()
  }
})
