import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { historyClickhouse } from '../apps/server/src/modules/history/index.ts'
import { telemetryClickhouse } from '../apps/server/src/modules/telemetry/index.ts'
import { migrateClickhouse } from '../apps/server/src/platform/clickhouse/migrate.ch.ts'
import type { Bench, BenchPeer, BenchResult } from './bench.ts'
import { measureExport } from './history/export.ts'
import { measureCompany, measureDevice, measureHourly, measureLatest, silentLog } from './history/queries.ts'
import { type GeneratedReadings, generateReadings, isPlanned, planReadings } from './history/readings.ts'
import { selectNumbers } from './history/select.ts'
import { measureLivePush } from './live/measure.ts'
import { openPlainSql, type PlainSql } from './registry/plain-sql.ts'
import { createServerCalls, type Session } from './registry/server-calls.ts'
import { type Compared, time } from './registry/timing.ts'
import { onEngines, PASSWORD, seedCompany, startServer, type Urls } from './server/own-server.ts'
import { endProcess, waitForLine } from './server/processes.ts'

const HOUSEHOLDS = Number(process.env.ISOTHERM_BENCH_HOUSEHOLDS ?? 10_000)
const DAYS = Number(process.env.ISOTHERM_BENCH_DAYS ?? 30)
/** Percentage of devices with a reading every 15 minutes; 100 is a whole company with the usual report period. */
const DENSE_PERCENT = Number(process.env.ISOTHERM_BENCH_DENSE_PERCENT ?? 10)
/** Folder for generated data. The next run reuses it, so 1,500,000,000 readings are generated only once. */
const REUSED = process.env.ISOTHERM_BENCH_FOLDER
const TENANT = 'bench'

/** Waits until the server has computed the rollups up to the last hour. Returns the waiting time. */
async function waitForRollups(client: ClickHouseClient, { to }: GeneratedReadings): Promise<number> {
  const query = 'SELECT toUnixTimestamp(closed) FROM rollup_marks FINAL'
  const lastHourS = Math.floor(to / HOUR_MS) * 3_600 - 3_600
  return time(async () => {
    for (;;) {
      const [closedS = 0] = await selectNumbers(client, query)
      if (closedS >= lastHourS) return
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  })
}

/** Merges all parts of the tables, as the engine does in a quiet night. Server and peer then read the same parts. */
async function mergeAll(client: ClickHouseClient, tables: readonly string[]): Promise<number> {
  return time(async () => {
    for (const table of tables) {
      // OPTIMIZE does not write partitions with a single part again.
      const parts = `SELECT max(parts) FROM (SELECT count() AS parts FROM system.parts
        WHERE active AND table = '${table}' GROUP BY partition_id)`
      for (;;) {
        const [maxParts = 0] = await selectNumbers(client, parts)
        if (maxParts <= 1) break
        await client.command({ query: `OPTIMIZE TABLE ${table} FINAL` })
      }
    }
  })
}

const toPeers = (figure: string, label: string, { ours, plain }: Compared): readonly BenchPeer[] => [
  { figure, label: 'median of the same run, ms', value: ours.p50 },
  { figure, label: `${label}, median, ms`, value: plain.p50 },
]

async function measureSession(
  session: Session,
  serverPid: number,
  client: ClickHouseClient,
  made: GeneratedReadings,
) {
  const device = await measureDevice(session, client, made)
  const hourly = await measureHourly(session, client, made)
  const company = await measureCompany(session, client, made)
  const exported = await measureExport(session, serverPid, made)
  const latest = await measureLatest(client, made)
  return {
    figures: {
      device_7d_p95_ms: device.ours.p95,
      hourly_500_devices_7d_ms: hourly.ours.p50,
      company_daily_30d_ms: company.ours.p50,
      latest_100k_ms: latest.ours.p50,
      export_5m_rows_rss_mb: exported.maxMb - exported.beforeMb,
    },
    peers: [
      ...toPeers('device_7d_p95_ms', 'the same readings in plain ClickHouse', device),
      ...toPeers('hourly_500_devices_7d_ms', 'the same of the readings in plain ClickHouse', hourly),
      ...toPeers(
        'company_daily_30d_ms',
        `the same of the readings (${company.metric}) in plain ClickHouse`,
        company,
      ),
      ...toPeers('latest_100k_ms', 'argMax over a day in plain ClickHouse, all devices', latest),
      {
        figure: 'export_5m_rows_rss_mb',
        label: 'resident before it, MB; the figure is by how much the export raised it at most',
        value: exported.beforeMb,
      },
      { figure: 'export_5m_rows_rss_mb', label: 'rows', value: exported.rows },
      { figure: 'export_5m_rows_rss_mb', label: 'rows a second', value: exported.rows / exported.seconds },
      {
        figure: 'latest_100k_ms',
        label: 'read back after a start, all devices, ms',
        value: latest.restoreMs,
      },
    ],
  }
}

const seconds = (ms: number): string => (ms / 1000).toFixed(0)

const toDensity = ({ densePercent }: GeneratedReadings): string =>
  densePercent === 100
    ? 'one each quarter of an hour of each value'
    : `one each quarter of an hour of ${densePercent} % of the devices (including all that are queried individually), one in six hours of the others`

/** Creates the company and its readings if they do not exist yet. */
async function prepare(urls: Urls, client: ClickHouseClient, sql: PlainSql) {
  if (!(await isPlanned(client))) {
    console.log(`making a company of ${HOUSEHOLDS} households ...`)
    await seedCompany(urls, HOUSEHOLDS, TENANT)
    await migrateClickhouse(client, [telemetryClickhouse, historyClickhouse], silentLog)
    await planReadings(client, sql, DAYS, DENSE_PERCENT)
  }
  console.log(`making ${DAYS} days of readings ...`)
  const began = performance.now()
  let mergedMs = 0
  const merge = async () => {
    mergedMs = await mergeAll(client, ['readings'])
  }
  const made = await generateReadings(client, merge, console.log)
  return { made, madeMs: performance.now() - began - mergedMs, mergedMs }
}

async function measure(urls: Urls): Promise<BenchResult> {
  const client = createClient({
    url: urls.clickhouse,
    request_timeout: 7_200_000,
    log: { level: ClickHouseLogLevel.OFF },
  })
  const sql = await openPlainSql(urls.database)
  try {
    const { made, madeMs, mergedMs } = await prepare(urls, client, sql)
    console.log('the server makes the rollups ...')
    const child = startServer(urls)
    try {
      const { port } = JSON.parse(await waitForLine(child, 'ISOTHERM_READY '))
      const rolledMs = await waitForRollups(client, made)
      const rollupsMergedMs = await mergeAll(client, ['readings_hour', 'readings_day'])
      const [hours = 0] = await selectNumbers(client, 'SELECT count() FROM readings_hour')
      const [days = 0] = await selectNumbers(client, 'SELECT count() FROM readings_day')
      const [mb = 0] = await selectNumbers(
        client,
        'SELECT round(sum(bytes_on_disk) / 1e6) FROM system.parts WHERE active',
      )
      const calls = createServerCalls(Number(port))
      try {
        const session = await calls.logIn(`${TENANT}.manager`, PASSWORD)
        const { figures, peers } = await measureSession(session, child.pid ?? 0, client, made)
        return {
          figures,
          peers,
          notes: [
            `${made.rows} readings of ${made.devices} devices over ${Math.round((made.to - made.from) / DAY_MS)} days, ${toDensity(made)}; ${mb} MB with all rollups.`,
            `Generated within ClickHouse in ${seconds(madeMs)} s, all but the last two days merged in ${seconds(mergedMs)} s more; ${hours} hourly and ${days} daily`,
            `rows computed by the server, one thread, in ${seconds(rolledMs)} s; all of them merged in ${seconds(rollupsMergedMs)} s more.`,
            ...(REUSED === undefined
              ? []
              : ['These seconds do not include data that an earlier run generated.']),
            'Figures are HTTP calls to a server process by an account with the whole company; plain ClickHouse is queried',
            "alternately. latest: from the server's memory to the text of the answer, in this process.",
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

export const bench: Bench = {
  name: 'history',
  about:
    'A device, 500 devices by hour, a company by day and newest values out of a month of readings, beside plain ClickHouse',
  async run() {
    const measured = await onEngines(measure, { folder: REUSED })
    const live = await onEngines(measureLivePush)
    return {
      figures: { ...measured.figures, ...live.figures },
      peers: [...measured.peers, ...live.peers],
      notes: [...measured.notes, ...live.notes],
    }
  },
}
