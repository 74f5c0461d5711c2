import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestClickhouse, type TestDatabase } from '@isotherm/engines/testkit'
import { EXIT_TRY_LATER } from '@isotherm/kernel/machine/exit-codes'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { laterMigrations } from './modules.ts'
import { createCoreDatabase } from './testing/core-database.testkit.ts'
import { runProgram } from './testing/run-program.testkit.ts'

// The backup runs at the lowest priority: beside other tests it waits for the processor.
vi.setConfig({ testTimeout: 300_000 })

let folder: string
let database: TestDatabase
let clickhouse: TestDatabase
let client: pg.Client
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isotherm-backup-'))
  ;[database, clickhouse] = await Promise.all([
    createCoreDatabase(laterMigrations, 'server'),
    createTestClickhouse(),
  ])
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client?.end()
  await Promise.all([database, clickhouse].map((one) => one?.drop()))
  await rm(folder, { recursive: true, force: true })
})

const backUp = (into: string) =>
  runProgram('backup.ts', { DATABASE_URL: database.url, CLICKHOUSE_URL: clickhouse.url }, ['--to', into])

const listRuns = async () =>
  (await client.query('select name, fault, checked, rows::int, ended_at from backup_run order by id')).rows

test('a backup that is refused because one runs is no run, and leaves nothing', async () => {
  await client.query("select pg_advisory_lock(hashtext('isotherm backup'))")
  const into = join(folder, 'refused')
  const { code, output } = await backUp(into)
  await client.query('select pg_advisory_unlock_all()')
  expect(output).toMatch(/another backup of this database runs/)
  expect(code).toBe(EXIT_TRY_LATER)
  expect(await listRuns()).toEqual([])
  expect(await readdir(into).catch(() => [])).toEqual([])
})

test('a run that was killed is recorded as such by the next one, which is recorded with what it contains', async () => {
  await client.query("insert into backup_run (started_at) values (now() - interval '1 hour')")
  const into = join(folder, 'next')
  const left = join(into, 'isotherm-20261126T023000Z.part')
  await mkdir(left, { recursive: true })
  await writeFile(join(left, 'owner.json'), JSON.stringify({ host: hostname(), pid: 2 ** 22 + 1 }))
  const { code, output } = await backUp(into)
  expect(code, output).toBe(0)
  const [killed, whole] = await listRuns()
  expect(killed).toMatchObject({ name: null, fault: 'it was ended before it was whole', checked: false })
  expect(killed?.ended_at).toBeInstanceOf(Date)
  const names = await readdir(into)
  expect(names).toHaveLength(1)
  expect(whole).toMatchObject({ name: names[0], fault: null, checked: true })
  expect(whole?.rows).toBeGreaterThan(0)
})

test('a backup that fails is recorded with the reason', async () => {
  const into = join(folder, 'no-folder')
  await writeFile(into, 'a file is in its place')
  expect((await backUp(into)).code).toBe(1)
  expect((await listRuns()).at(-1)).toMatchObject({ name: null, fault: expect.stringContaining(into) })
})

test.runIf(process.platform === 'linux')(
  'a backup into a path where no folder can be created fails with the reason, even for root',
  async () => {
    const into = '/proc/isotherm/backups'
    const { code, output } = await backUp(into)
    expect(output).toBe(`backup: cannot create the folder ${into} (ENOENT)`)
    expect(code).toBe(1)
    expect((await listRuns()).at(-1)).toMatchObject({ name: null, fault: expect.stringContaining(into) })
  },
)
