import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { getReport, getReportCourse } from '@isotherm/contract/endpoints/monitoring/statistics'
import { reportNames } from '@isotherm/contract/statistics/reports'
import type { Bench, BenchResult } from './bench.ts'
import { copyDevices, fillDays } from './history/fill-rollups.ts'
import { selectNumbers } from './history/select.ts'
import { openPlainSql } from './registry/plain-sql.ts'
import { createServerCalls } from './registry/server-calls.ts'
import { toTimes } from './registry/timing.ts'
import { onEngines, PASSWORD, seedCompany, startServer, type Urls } from './server/own-server.ts'
import { endProcess, waitForLine } from './server/processes.ts'

const HOUSEHOLDS = Number(process.env.ISOTHERM_BENCH_HOUSEHOLDS ?? 100_000)
const DAYS = Number(process.env.ISOTHERM_BENCH_DAYS ?? 120)
const TENANT = 'bench'
const CALLS = 3

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
      await copyDevices(client, sql)
      await fillDays(client, DAYS)
      const [rows = 0] = await selectNumbers(client, 'SELECT count() FROM readings_day')
      const calls = createServerCalls(Number(port))
      try {
        const session = await calls.logIn(`${TENANT}.manager`, PASSWORD)
        const figures: Record<string, number> = {}
        const notes: string[] = []
        for (const report of reportNames) {
          const season = { report, period: 'range', ...seasonDates() } as const
          const read = () => session.call(getReport, { ...season, level: 'building' })
          const course = () => session.call(getReportCourse, { ...season, step: 'month' })
          figures[`${report}_season_ms`] = await measureCall(read)
          figures[`${report}_course_ms`] = await measureCall(course)
          const { whole } = (await read()).data
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
