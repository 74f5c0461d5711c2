/** Guarantees of the embedded engines beyond the protocol: folder, kills, ports, passwords, orderly end. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@clickhouse/client'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startClickhouse } from './clickhouse/clickhouse.ts'
import { startPostgres } from './postgres.ts'
import { isAlive, signal, waitForExit } from './process-life.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-life-'))
})
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

const password = 'p/ä:%'

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('PostgreSQL has all committed data after kill -9 and a restart on the same port', async () => {
  const first = await startPostgres({ dataDir: folder, port: 0, password })
  await query(first.url, 'CREATE TABLE t AS SELECT 1 AS a')
  signal(first.pid, 'SIGKILL')
  expect(await first.exited).toBe(null)
  const second = await startPostgres({ dataDir: folder, port: first.port, password })
  expect(second.url).toBe(first.url)
  expect(await query(second.url, 'SELECT a FROM t')).toEqual([{ a: 1 }])
  await second.stop()
  expect(isAlive(second.pid)).toBe(false)
})

test('PostgreSQL that is left over from a killed starter is ended, not reused', async () => {
  const left = await startPostgres({ dataDir: folder, port: 0, password })
  // A second start finds the first server running on the folder, as after a kill -9 of its starter.
  const next = await startPostgres({ dataDir: folder, port: 0, password })
  await left.exited
  expect(isAlive(left.pid)).toBe(false)
  expect(await query(next.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  await next.stop()
})

test('PostgreSQL with another password than that of the folder gives one clear line', async () => {
  await (await startPostgres({ dataDir: folder, port: 0, password })).stop()
  const again = startPostgres({ dataDir: folder, port: 0, password: 'other' })
  await expect(again).rejects.toThrow(/^embedded PostgreSQL refuses us: password authentication failed/)
})

test('engines end when their starter is killed', async () => {
  const script = `
    import { startClickhouse } from ${JSON.stringify(new URL('./clickhouse/clickhouse.ts', import.meta.url).href)}
    import { startPostgres } from ${JSON.stringify(new URL('./postgres.ts', import.meta.url).href)}
    const options = { dataDir: process.argv[1], port: 0, password: 'x' }
    const engines = await Promise.all([
      startPostgres({ ...options, dataDir: options.dataDir + '/pg' }),
      startClickhouse({ ...options, dataDir: options.dataDir + '/ch' }),
    ])
    console.log(engines.map(({ pid }) => pid).join(' '))`
  const starter = spawn(process.execPath, ['--input-type=module', '-e', script, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(starter.stdout, 'data')
  starter.kill('SIGKILL')
  const pids = String(line).trim().split(' ').map(Number)
  expect(pids).toHaveLength(2)
  for (const pid of pids) expect(await waitForExit(pid, 10_000)).toBe(true)
})

test('ClickHouse has after kill -9 every row it acknowledged', async () => {
  const first = await startClickhouse({ dataDir: folder, port: 0, password })
  const client = createClient({ url: first.url, log: { level: 127 } })
  await client.command({ query: 'CREATE TABLE t (a UInt64, b UInt64) ENGINE = MergeTree ORDER BY a' })
  const acknowledged: number[] = []
  let writing = true
  const writer = async (offset: number) => {
    for (let i = offset; writing; i += 4) {
      const values = Array.from({ length: 100 }, (_, b) => [i, b])
      const done = await client.insert({ table: 't', values, format: 'JSONCompactEachRow' }).then(
        () => true,
        () => false,
      )
      if (!done) return
      acknowledged.push(i)
      if (acknowledged.length === 60) signal(first.pid, 'SIGKILL')
    }
  }
  await Promise.all([0, 1, 2, 3].map(writer))
  writing = false
  expect(await first.exited).toBe(null)
  const second = await startClickhouse({ dataDir: folder, port: first.port, password })
  const result = await client.query({
    query: 'SELECT a, count() AS n FROM t GROUP BY a',
    format: 'JSONCompactEachRow',
  })
  const rows = new Map((await result.json<[number, number]>()).map(([a, n]) => [Number(a), Number(n)]))
  expect(acknowledged.length).toBeGreaterThanOrEqual(60)
  for (const a of acknowledged) expect(rows.get(a)).toBe(100)
  await client.close()
  await second.stop()
  expect(isAlive(second.pid)).toBe(false)
})

test('ClickHouse on a port in use gives one clear line', async () => {
  const first = await startClickhouse({ dataDir: join(folder, 'a'), port: 0, password })
  const second = startClickhouse({ dataDir: join(folder, 'b'), port: first.port, password })
  await expect(second).rejects.toThrow(/^ClickHouse engine does not start in .*EADDRINUSE/)
  await first.stop()
})
