import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { getRoomCompliance, getRooms } from '@isotherm/contract/endpoints/monitoring/rooms'
import { metrics } from '@isotherm/contract/metrics'
import type { Bench, BenchResult } from './bench.ts'
import { copyDevices, fillRoomHours } from './history/fill-rollups.ts'
import { openPlainSql, type PlainSql } from './registry/plain-sql.ts'
import { createServerCalls, type Session } from './registry/server-calls.ts'
import { toTimes } from './registry/timing.ts'
import { onEngines, PASSWORD, seedCompany, startServer, type Urls } from './server/own-server.ts'
import { endProcess, waitForLine } from './server/processes.ts'

const HOUSEHOLDS = Number(process.env.ISOTHERM_BENCH_HOUSEHOLDS ?? 100_000)
const DAYS = Number(process.env.ISOTHERM_BENCH_DAYS ?? 30)
const TENANT = 'bench'
const CALLS = 5

/** A newest value of every room and valve, and hourly room temperatures of some days. Returns the number of rooms. */
async function fill(client: ClickHouseClient, sql: PlainSql): Promise<number> {
  const devices = await copyDevices(client, sql)
  const newest = (kind: string, metric: number, value: string) =>
    client.command({
      query: `INSERT INTO readings (device, metric, value, ts, received, quality, node, boot, seq, months, live)
        SELECT device, ${metric}, ${value}, now64(3), now64(3), 0, 1, 1, 1, 1, 1 FROM bench_devices WHERE kind = '${kind}'`,
    })
  await newest('room-sensor', metrics['temp.room'].id, '15 + device % 100 / 11')
  await newest('valve', metrics['temp.return'].id, '30 + device % 100 / 10')
  await newest('valve', metrics['valve.opening'].id, 'device % 100')
  await fillRoomHours(client, DAYS)
  return devices.get('room-sensor') ?? 0
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
