import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { getRoomCompliance, getRooms } from '@isotherm/contract/endpoints/monitoring/rooms'
import { metrics } from '@isotherm/contract/metrics'
import { z } from 'zod'
import type { Bench, BenchResult } from './bench.ts'
import { openPlainSql, type PlainSql } from './registry/plain-sql.ts'
import { createServerCalls, type Session } from './registry/server-calls.ts'
import { toTimes } from './registry/timing.ts'
import { onEngines, PASSWORD, seedCompany, startServer, type Urls } from './server/own-server.ts'
import { endProcess, waitForLine } from './server/processes.ts'

const HOUSEHOLDS = Number(process.env.ISOTHERM_BENCH_HOUSEHOLDS ?? 100_000)
const DAYS = Number(process.env.ISOTHERM_BENCH_DAYS ?? 30)
const TENANT = 'bench'
const CALLS = 5

const device = z.object({ id: z.coerce.number(), kind: z.string() })

/** A newest value of every room and valve, and hourly room temperatures of some days. */
async function fill(client: ClickHouseClient, sql: PlainSql): Promise<number> {
  await client.command({
    query: 'CREATE TABLE bench_devices (device UInt32, kind String) ENGINE = MergeTree ORDER BY device',
  })
  const found = await sql.rows(device, 'select id, kind from device where retired_at is null')
  const values = found.map(({ id, kind }) => ({ device: id, kind }))
  await client.insert({ table: 'bench_devices', values, format: 'JSONEachRow' })
  const newest = (kind: string, metric: number, value: string) =>
    client.command({
      query: `INSERT INTO readings (device, metric, value, ts, received, quality, node, boot, seq, months, live)
        SELECT device, ${metric}, ${value}, now64(3), now64(3), 0, 1, 1, 1, 1, 1 FROM bench_devices WHERE kind = '${kind}'`,
    })
  await newest('room-sensor', metrics['temp.room'].id, '15 + device % 100 / 11')
  await newest('valve', metrics['temp.return'].id, '30 + device % 100 / 10')
  await newest('valve', metrics['valve.opening'].id, 'device % 100')
  await client.command({
    query: `INSERT INTO readings_hour (device, metric, hour, total, good, sum_value, min_value, max_value, min_at, max_at,
        first_value, last_value, quality, version)
      SELECT device, ${metrics['temp.room'].id}, toStartOfHour(now('UTC')) - number * 3600 AS at, 4, 4, 4 * v, v, v, at, at, v, v, 0,
        now64(3)
      FROM (SELECT device, number, 15 + device % 100 / 11 + number % 24 / 10 AS v FROM bench_devices
        CROSS JOIN numbers(${DAYS * 24}) AS numbers WHERE kind = 'room-sensor')
      SETTINGS max_partitions_per_insert_block = 0, max_insert_block_size = 4000000, min_insert_block_size_rows = 4000000`,
  })
  return values.filter(({ kind }) => kind === 'room-sensor').length
}

/** Median of some calls after the first, and the first, ms. */
async function measureCall(call: () => Promise<{ readonly ms: number }>) {
  const times: number[] = []
  for (let each = 0; each <= CALLS; each += 1) times.push((await call()).ms)
  return { first: times[0] ?? 0, median: toTimes(times.slice(1)).p50 }
}

async function measureAll(session: Session): Promise<Record<string, number>> {
  const toDate = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
  const limiter = { page: 1, size: 100 }
  const calls = {
    coldest: () => session.call(getRooms, { limiter }),
    deep_page: () => session.call(getRooms, { limiter: { page: 500, size: 100 } }),
    search: () => session.call(getRooms, { limiter, text: '3号楼 201' }),
    place: () => session.call(getRooms, { limiter, sort: 'place' }),
    compliance_week: () => session.call(getRoomCompliance, { limiter, from: toDate(6), to: toDate(0) }),
    compliance_range: () =>
      session.call(getRoomCompliance, { limiter, from: toDate(DAYS - 1), to: toDate(0) }),
  }
  const figures: Record<string, number> = {}
  for (const [name, call] of Object.entries(calls)) {
    const { first, median } = await measureCall(call)
    figures[`${name}_first_ms`] = first
    figures[`${name}_ms`] = median
  }
  return figures
}

async function measure(urls: Urls): Promise<BenchResult> {
  const client = createClient({
    url: urls.clickhouse,
    request_timeout: 3_600_000,
    log: { level: ClickHouseLogLevel.OFF },
  })
  const sql = await openPlainSql(urls.database)
  /** Starts a server, which creates the tables and reads the newest values, and uses it. */
  async function onServer<Result>(work: (port: number) => Promise<Result>): Promise<Result> {
    const child = startServer(urls)
    try {
      const { port } = JSON.parse(await waitForLine(child, 'ISOTHERM_READY '))
      return await work(Number(port))
    } finally {
      await endProcess(child)
    }
  }
  try {
    await seedCompany(urls, HOUSEHOLDS, TENANT)
    const rooms = await onServer(() => fill(client, sql))
    const figures = await onServer(async (port) => {
      const calls = createServerCalls(port)
      try {
        return await measureAll(await calls.logIn(`${TENANT}.manager`, PASSWORD))
      } finally {
        calls.close()
      }
    })
    return {
      figures,
      peers: [],
      notes: [
        `${HOUSEHOLDS} households, ${rooms} rooms, hours of ${DAYS} days; median of ${CALLS} HTTP calls.`,
      ],
    }
  } finally {
    await Promise.all([client.close(), sql.close()])
  }
}

export const bench: Bench = {
  name: 'rooms',
  about: 'Live rooms and their compliance in a company of 100,000 households',
  run: () => onEngines(measure),
}
