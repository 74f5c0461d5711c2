import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { getReport, getReportCourse } from '@isotherm/contract/endpoints/monitoring/statistics'
import { isMetricName, type MetricName, metrics } from '@isotherm/contract/metrics'
import { reportNames } from '@isotherm/contract/statistics/reports'
import { z } from 'zod'
import type { Bench, BenchResult } from './bench.ts'
import { selectNumbers } from './history/select.ts'
import { openPlainSql, type PlainSql } from './registry/plain-sql.ts'
import { createServerCalls } from './registry/server-calls.ts'
import { toTimes } from './registry/timing.ts'
import { onEngines, PASSWORD, seedCompany, startServer, type Urls } from './server/own-server.ts'
import { endProcess, waitForLine } from './server/processes.ts'

const HOUSEHOLDS = Number(process.env.ISOTHERM_BENCH_HOUSEHOLDS ?? 100_000)
const DAYS = Number(process.env.ISOTHERM_BENCH_DAYS ?? 120)
const TENANT = 'bench'
const CALLS = 3

/** A daily value of a device, as an expression of `device` and `day`. */
const reported: Readonly<Record<string, Partial<Record<MetricName, string>>>> = {
  valve: { 'temp.return': '35 + device % 100 / 25 + toDayOfYear(day) % 7', 'valve.opening': '50' },
  'room-sensor': { 'temp.room': '17 + device % 100 / 15' },
  'heat-meter': { 'heat.energy': '1000 + toRelativeDayNum(day) * (20 + device % 10)' },
  station: { 'temp.supply': '45', 'temp.outdoor': '-5 + toDayOfYear(day) % 11', 'pump.power': '4' },
}

const device = z.object({ id: z.coerce.number(), kind: z.string() })

const toMetricId = (name: string): number => (isMetricName(name) ? metrics[name].id : 0)

/** Daily rollups of every device up to yesterday, month by month as the server stores them, merged like after a night. */
async function fill(client: ClickHouseClient, sql: PlainSql): Promise<number> {
  await client.command({
    query: 'CREATE TABLE bench_devices (device UInt32, kind String) ENGINE = MergeTree ORDER BY device',
  })
  const found = await sql.rows(device, 'select id, kind from device where retired_at is null')
  const values = found.map(({ id, kind }) => ({ device: id, kind }))
  await client.insert({ table: 'bench_devices', values, format: 'JSONEachRow' })
  for (const [kind, daily] of Object.entries(reported))
    for (const [name, value] of Object.entries(daily))
      await client.command({
        query: `INSERT INTO readings_day (metric, day, device, total, hours, good, sum_value, min_value, max_value, min_at,
            max_at, first_value, last_value, quality, version)
          SELECT ${toMetricId(name)}, day, device, 96, 24 - device % 3, 96, 96 * v, v - 1, v + 1, day, day, v,
            v + 19, 0, now64(3)
          FROM (SELECT device, today() - 1 - number AS day, ${value} AS v FROM bench_devices
            CROSS JOIN numbers(${DAYS}) AS numbers WHERE kind = '${kind}')
          SETTINGS max_partitions_per_insert_block = 0, max_insert_block_size = 4000000, min_insert_block_size_rows = 4000000`,
      })
  await client.command({ query: 'OPTIMIZE TABLE readings_day FINAL' })
  const [rows = 0] = await selectNumbers(client, 'SELECT count() FROM readings_day')
  return rows
}

/** Median of some calls after the first, ms. */
async function measureCall(call: () => Promise<{ readonly ms: number }>): Promise<number> {
  const times: number[] = []
  for (let each = 0; each <= CALLS; each += 1) times.push((await call()).ms)
  return toTimes(times.slice(1)).p50
}

async function measure(urls: Urls): Promise<BenchResult> {
  const client = createClient({
    url: urls.clickhouse,
    request_timeout: 3_600_000,
    log: { level: ClickHouseLogLevel.OFF },
  })
  const sql = await openPlainSql(urls.database)
  try {
    await seedCompany(urls, HOUSEHOLDS, TENANT)
    const child = startServer(urls)
    try {
      const { port } = JSON.parse(await waitForLine(child, 'ISOTHERM_READY '))
      const rows = await fill(client, sql)
      const calls = createServerCalls(Number(port))
      try {
        const session = await calls.logIn(`${TENANT}.manager`, PASSWORD)
        const figures: Record<string, number> = {}
        const notes: string[] = []
        for (const report of reportNames) {
          const season = { report, period: 'range', ...seasonDates() } as const
          const rows = () => session.call(getReport, { ...season, level: 'building' })
          const course = () => session.call(getReportCourse, { ...season, step: 'month' })
          figures[`${report}_season_ms`] = await measureCall(rows)
          figures[`${report}_course_ms`] = await measureCall(course)
          const { whole } = (await rows()).data
          notes.push(`${report}: ${whole.now.measured} of ${whole.now.devices} devices`)
        }
        return {
          figures,
          peers: [],
          notes: [
            `${HOUSEHOLDS} households, ${rows} daily rows of ${DAYS} days; median of ${CALLS} HTTP calls.`,
            ...notes,
          ],
        }
      } finally {
        calls.close()
      }
    } finally {
      await endProcess(child)
    }
  } finally {
    await Promise.all([client.close(), sql.close()])
  }
}

function seasonDates(): { readonly from: string; readonly to: string } {
  const toDate = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
  return { from: toDate(DAYS), to: toDate(1) }
}

export const bench: Bench = {
  name: 'statistics',
  about: 'Statistical reports of a company over a season, from its daily rollups',
  run: () => onEngines(measure),
}
