import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createLocalDays } from '../../modules/history/calendar/local-days.ts'
import { dropExpired } from '../../modules/history/retention.ch.ts'
import { buildRollups } from '../../modules/history/rollups/rollup-queries.ch.ts'
import { createRollups } from '../../modules/history/rollups/rollups.ts'
import { createTestDirectory } from '../../modules/telemetry/messages/sample-directory.testkit.ts'
import { insertQuarantine } from '../../modules/telemetry/quarantine/insert-quarantine.ch.ts'
import { insertFrames } from '../../modules/telemetry/raw/raw-store.ch.ts'
import { createNumbersPart } from '../../modules/telemetry/snapshots/message-numbers.ch.ts'
import { createValuesPart, insertMark } from '../../modules/telemetry/snapshots/newest-values.ch.ts'
import { findStoredMessages, insertMessages } from '../../modules/telemetry/store/readings.ch.ts'
import { readStored } from '../../modules/telemetry/store/stored-runs.ch.ts'
import { clickhouseMigrations } from '../../modules.ts'
import { createServerClickhouse } from '../../testing/clickhouse-database.testkit.ts'
import {
  type ClusterStore,
  createOnCluster,
  findRealCluster,
  startEmbeddedCluster,
} from '../../testing/cluster.testkit.ts'
import { END, fillReadings, readAll, START, ZONE } from '../../testing/cluster-queries.testkit.ts'
import { createTestClock } from '../../testing/core.testkit.ts'
import { dumpReadings } from '../backup/dump-readings.ch.ts'
import { loadReadings, requireEmptyReadings } from '../backup/load-readings.ch.ts'
import { checkCluster } from '../doctor/check-cluster.ch.ts'
import { createLog } from '../log.ts'
import { type ClickHouseClient, createClickhouse, createReadRows } from './clickhouse.ch.ts'
import { migrateClickhouse } from './migrate.ch.ts'

const log = createLog({ logLevel: 'silent' })
const cluster = { name: 'heat', database: 'isotherm' }

const { all: devices } = createTestDirectory()

/** A message of a gateway with a room temperature of each of some devices at each of some instants. */
const toMessage = (seq: number, deviceCount: number, instants: readonly number[]) => ({
  gatewayId: 77,
  boot: 3,
  seq,
  received: END,
  live: false,
  rows: deviceCount * instants.length,
  samples: devices.slice(0, deviceCount).flatMap((device) =>
    instants.map((ts) => ({
      device,
      ts,
      quality: 0,
      values: [{ metric: 'temp.room' as const, value: 20, quality: 0 }],
    })),
  ),
})

/** Each runs some hundred statements on an engine of its own. */
const LONG_MS = 300_000

/** Everything that servers write: readings, late ones, rollups, snapshots, frames, rejects. Returns the end of the rollups. */
async function fill(client: ClickHouseClient): Promise<number | undefined> {
  await fillReadings(client)
  const clock = createTestClock(END + DAY_MS)
  const rollups = createRollups({
    client,
    zone: ZONE,
    build: (build) => buildRollups(client, ZONE, build),
    days: createLocalDays(ZONE),
    clock,
    log,
    rowsAtOnce: 10_000,
  })
  await rollups.pass()
  // Late and corrected readings, of hours that are closed.
  await insertMessages(client, [toMessage(1, 5, [START + HOUR_MS, START + 2 * DAY_MS])], 'late')
  await rollups.pass()
  await insertMark(client, END - DAY_MS)
  await insertMark(client, END - HOUR_MS)
  await insertMark(client, END, 'north')
  const run = { gatewayId: 4, boot: 1, from: 0, to: 9 }
  const list = () => [run, { ...run, boot: 2, from: 3 }]
  await createNumbersPart({ client, of: 'readings', list, now: () => END }).write()
  const state = { deviceId: 2, ts: END, metrics: { 'temp.room': 21 }, instants: {}, qualities: {} }
  const latest = {
    changedSince: () => [{ ...state, version: 1, quality: 0, presence: 'present' as const }],
    version: () => 1,
  }
  await createValuesPart(client, latest as unknown as Parameters<typeof createValuesPart>[1]).write()
  const frame = {
    gatewayId: 1,
    ts: END,
    boot: 1,
    seq: 5,
    part: 0,
    device: 2,
    named: 'v',
    isSent: false,
    received: END - 1_000,
  }
  for (const text of ['a', 'b', 'b']) await insertFrames(client, [{ ...frame, bytes: Buffer.from(text) }])
  const entry = {
    received: END - 1_000,
    topic: 'demo/c1/up',
    gateway: 'c1',
    reason: 'no-values' as const,
    size: 1,
    count: 1,
  }
  await insertQuarantine(client, [{ ...entry, bytes: Buffer.from('x') }])
  return rollups.closedMs()
}

describe('a cluster in the embedded engine', () => {
  let one: ClusterStore
  let plain: { readonly client: ClickHouseClient; close(): Promise<void> }
  let closedMs: readonly (number | undefined)[]

  beforeAll(async () => {
    one = await startEmbeddedCluster(1)
    const database = await createServerClickhouse()
    const client = createClickhouse({ clickhouseUrl: database.url })
    plain = {
      client,
      async close() {
        await client.close()
        await database.drop()
      },
    }
    closedMs = [await fill(plain.client), await fill(one.client)]
  }, LONG_MS)
  afterAll(async () => {
    await one.close()
    await plain.close()
  })

  test(
    'all queries have the same results as on one server',
    async () => {
      expect(closedMs[1]).toBe(closedMs[0])
      const [expected, found] = [
        await readAll(plain.client, closedMs[0]),
        await readAll(one.client, closedMs[0]),
      ]
      for (const [name, result] of Object.entries(expected)) {
        expect(JSON.stringify(result).length, `${name} shows nothing`).toBeGreaterThan(2)
        expect(found[name as keyof typeof found], name).toEqual(result)
      }
    },
    LONG_MS,
  )

  test('no statement changes or reads what only one server has', () => {
    expect(one.statements.length).toBeGreaterThan(60)
    for (const statement of one.statements) {
      if (/^\s*(?:ALTER|CREATE|DROP|TRUNCATE)/.test(statement))
        expect(statement).toContain(' ON CLUSTER heat')
      if (/system\.(?:parts|tables|processes)|mergeTreeIndex/.test(statement))
        expect(statement).toMatch(/cluster(?:AllReplicas)?\('heat', /)
      expect(statement).not.toContain('EXPLAIN')
      expect(statement).not.toContain('currentDatabase')
    }
  })

  test('an insert whose outcome is unknown is repeated: its rows may be on one replica only', async () => {
    const message = toMessage(9, 4, [START])
    await insertMessages(one.client, [message], 'first')
    expect(await findStoredMessages(one.client, [message], 'first')).toEqual(new Set())
    await insertMessages(one.client, [message], 'second')
    const query = 'SELECT count(), uniqExact(device) FROM readings FINAL WHERE node = 77 AND seq = 9'
    const row = z.tuple([z.coerce.number(), z.coerce.number()])
    expect(await createReadRows(one.client)(row, query)).toEqual([[4, 4]])
  })

  test('a message counts as stored when all its parts are', async () => {
    const columns = 'device, metric, ts, value, quality, received, node, boot, seq, months, live'
    const insert = (device: number, seq: number, ts: number, months: number) =>
      one.client.command({
        query: `INSERT INTO readings (${columns}) VALUES (${device}, 12, fromUnixTimestamp64Milli(${ts}, 'UTC'), 1, 0,
          fromUnixTimestamp64Milli(${END + DAY_MS}, 'UTC'), 88, 1, ${seq}, ${months}, 1)`,
      })
    await insert(1, 1, START, 2)
    await insert(1, 2, START, 2)
    await insert(1, 2, START + 3 * DAY_MS, 2)
    await insert(1, 3, START, 1)
    const runs: object[] = []
    await readStored(one.client, END + DAY_MS - 1, (run) => runs.push(run))
    expect(runs).toEqual([{ gatewayId: 88, boot: 1, from: 2, to: 3 }])
  })

  test('tables of one server are not taken for those of a cluster, nor the other way round', async () => {
    const withoutCluster = createClickhouse({ clickhouseUrl: one.url })
    const withCluster = createClickhouse({
      clickhouseUrl: one.url,
      clickhouseCluster: { ...cluster, database: 'plain' },
    })
    try {
      await expect(migrateClickhouse(withoutCluster, clickhouseMigrations, log)).rejects.toThrow(
        /tables ch_migrations, .* are of a cluster; set ISOTHERM_CLICKHOUSE_CLUSTER/,
      )
      await withoutCluster.command({ query: 'CREATE DATABASE plain' })
      await withoutCluster.command({
        query: 'CREATE TABLE plain.readings (a UInt8) ENGINE = MergeTree ORDER BY a',
      })
      await expect(migrateClickhouse(withCluster, clickhouseMigrations, log)).rejects.toThrow(
        /tables readings are of one server, not of the cluster heat/,
      )
    } finally {
      await withoutCluster.close()
      await withCluster.close()
    }
  })

  test('the doctor examines the servers of a cluster', async () => {
    expect(await checkCluster(one.client, cluster)).toEqual([
      { state: 'ok', what: 'ClickHouse: cluster heat, shards: 1, servers: 1' },
      expect.objectContaining({ state: 'warning', what: expect.stringContaining('shard 1 has one replica') }),
    ])
    expect(await checkCluster(one.client, { ...cluster, name: 'cold' })).toMatchObject([
      { state: 'fault', what: 'ClickHouse: it has no cluster cold in remote_servers' },
    ])
  })

  test('a backup of a cluster is restored on one server', async () => {
    const files = new Map<string, Buffer>()
    const content = await dumpReadings(
      one.url,
      async (name, source) => {
        const parts: Uint8Array[] = []
        for await (const part of source) parts.push(part)
        files.set(name, Buffer.concat(parts))
        return { name, size: 0, sha256: '' } as never
      },
      ['rollup_marks'],
      cluster,
    )
    expect(content.tables.map(({ name }) => name).filter((name) => name.endsWith('_local'))).toEqual([])
    await expect(requireEmptyReadings(one.url, cluster)).rejects.toThrow(/is not empty/)
    const target = await createServerClickhouse()
    const restored = createClickhouse({ clickhouseUrl: target.url })
    try {
      await loadReadings(target.url, content, async function* (name) {
        yield files.get(name) ?? Buffer.alloc(0)
      })
      for (const table of ['readings', 'readings_hour', 'readings_day', 'raw_frames', 'watermarks']) {
        const query = `SELECT count(), toString(sum(sipHash64(*))) FROM ${table} FINAL`
        const row = z.tuple([z.coerce.number(), z.string()])
        const [expected] = await createReadRows(one.client)(row, query)
        expect(await createReadRows(restored)(row, query), table).toEqual([expected])
        expect(expected?.[0]).toBeGreaterThan(1)
      }
    } finally {
      await restored.close()
      await target.drop()
    }
  })

  test('a month is dropped from all shards', async () => {
    const retention = { readings: 1, hours: 1, days: 0, raw: 0 }
    const now = Date.UTC(2026, 10, 20)
    expect(await dropExpired(one.client, retention, now)).toEqual([
      { level: 'readings', month: 202610 },
      { level: 'hours', month: 202610 },
    ])
    expect(one.statements).toContain('ALTER TABLE readings_local ON CLUSTER heat DROP PARTITION 202610')
    const months = 'SELECT DISTINCT toYYYYMM(ts) FROM readings'
    expect(await createReadRows(one.client)(z.tuple([z.number()]), months)).toEqual([[202611]])
  })
})

describe('two shards in the embedded engine', () => {
  test(
    'no query is refused because it reads several shards',
    async () => {
      const two = await startEmbeddedCluster(2)
      try {
        const closedMs = await fill(two.client)
        const found = await readAll(two.client, closedMs)
        expect(found.latest).toHaveLength(9 * 12)
      } finally {
        await two.close()
      }
    },
    LONG_MS,
  )
})

const real = findRealCluster()

describe.skipIf(real === undefined)('a real cluster (CLICKHOUSE_URL, ISOTHERM_CLICKHOUSE_CLUSTER)', () => {
  test(
    'all queries have the same results as on one embedded server, after two servers migrated',
    async () => {
      if (real === undefined) return
      const store = await createOnCluster(real)
      const database = await createServerClickhouse()
      const plain = createClickhouse({ clickhouseUrl: database.url })
      try {
        await migrateClickhouse(store.client, clickhouseMigrations, log)
        const closed = [await fill(plain), await fill(store.client)]
        expect(closed[1]).toBe(closed[0])
        const [expected, found] = [await readAll(plain, closed[0]), await readAll(store.client, closed[0])]
        for (const [name, result] of Object.entries(expected))
          expect(found[name as keyof typeof found], name).toEqual(result)
        const dropped = await dropExpired(
          store.client,
          { readings: 1, hours: 0, days: 0, raw: 0 },
          Date.UTC(2026, 10, 20),
        )
        expect(dropped).toEqual([{ level: 'readings', month: 202610 }])
      } finally {
        await plain.close()
        await database.drop()
        await store.close()
      }
    },
    LONG_MS,
  )
})
