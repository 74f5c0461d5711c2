import type { ChildProcess } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { quantile } from '@isotherm/kernel/statistics'
import type { Bench, BenchPeer, BenchResult } from './bench.ts'
import { measureUsedMb, type Started, start } from './company/company-server.ts'
import { orderField, startField } from './company/field-process.ts'
import type { FieldOrder, FieldResult, FieldSettings } from './company/field-settings.ts'
import { type FleetGateway, readFleet } from './company/fleet.ts'
import { type CallTimes, type OpenPages, withOpenPages } from './company/open-pages.ts'
import { type CompanySize, openPages, prepare, waitForRollups, waitForSnapshot } from './company/prepare.ts'
import { watchUse } from './company/server-process.ts'
import type { WatchResult, WatchSettings } from './live/settings.ts'
import { TENANT } from './registry/company.ts'
import { openPlainSql } from './registry/plain-sql.ts'
import { createServerCalls } from './registry/server-calls.ts'
import { onEngines, SECRET, type Urls } from './server/own-server.ts'
import { endProcess, startProcess, waitForLine } from './server/processes.ts'

const size: CompanySize = {
  households: Number(process.env.ISOTHERM_BENCH_HOUSEHOLDS ?? 100_000),
  days: Number(process.env.ISOTHERM_BENCH_DAYS ?? 30),
  densePercent: Number(process.env.ISOTHERM_BENCH_DENSE_PERCENT ?? 100),
}
/** Folder for generated data. The next run reuses it. */
const REUSED = process.env.ISOTHERM_BENCH_FOLDER
const CONSOLES = 50
const WATCH_ALL = 10
/** Every device reports once in this time, s. */
const PERIOD_S = 900
const MEAN_S = Number(process.env.ISOTHERM_BENCH_MEAN_S ?? 90)
const BURST_S = 60
const AWAY_S = 600
const STEP_S = 20
/** Multiples of the company's own rate. */
const RATES = [1, 2, 3, 4, 6, 8, 10, 12, 16, 24] as const
/** A rate is sustained while its PUBACKs and the generator keep within this time, ms. */
const SUSTAINED_MS = 2_000
interface Phase {
  readonly field: FieldResult
  readonly pages: CallTimes
  readonly pushes: WatchResult
  readonly cores: number
  readonly maxRssMb: number
}

/** Carries out an order while all consoles watch, and measures what they see. */
async function measurePhase(
  server: Started,
  field: ChildProcess,
  pages: OpenPages,
  order: FieldOrder,
): Promise<Phase> {
  const watching: WatchSettings = {
    concentrators: 0,
    valves: 0,
    periodMs: PERIOD_S * 1_000,
    watchAll: WATCH_ALL,
    watchArea: CONSOLES - WATCH_ALL,
    measuredMs: order.seconds * 1_000,
    url: `ws://127.0.0.1:${server.port}/live`,
    tokens: pages.sessions.map(({ bearer }) => bearer),
    areas: pages.places.map(({ id }) => String(id)),
  }
  const watchers = startProcess(new URL('./live/watch.ts', import.meta.url), [JSON.stringify(watching)])
  const seen = waitForLine(watchers, 'RESULT ')
  seen.catch(() => undefined)
  await waitForLine(watchers, 'WATCHING')
  const { result, cores, maxRssMb } = await watchUse(server.port, () =>
    withOpenPages(pages, () => orderField(field, order)),
  )
  return { field: result.result, pages: result.times, pushes: JSON.parse(await seen), cores, maxRssMb }
}

const p95 = (times: CallTimes): number => quantile([...times.values()].flat(), 0.95) ?? Number.NaN

const toPageNote = (times: CallTimes): string =>
  [...times]
    .map(
      ([path, ms]) =>
        `${path} ${quantile(ms, 0.5)?.toFixed(0)} / ${quantile(ms, 0.95)?.toFixed(0)} ms (${ms.length})`,
    )
    .join(', ')

const toFieldNote = (
  name: string,
  { messages, values, seconds, p50Ms, p99Ms, lateMs, failed, firstFailure }: FieldResult,
): string =>
  `${name}: ${messages} messages with ${values} values in ${seconds.toFixed(0)} s; PUBACK ${p50Ms.toFixed(0)} ms, of 99 in 100 ${p99Ms.toFixed(0)} ms; generator ${lateMs.toFixed(0)} ms late at most${failed > 0 ? `; ${failed} reports failed, the first by ${firstFailure}` : ''}`

/** Raises the rate until the server no longer keeps up. Returns the last multiple that it sustained. */
async function findSustained(
  field: ChildProcess,
  fleet: readonly FleetGateway[],
  note: (line: string) => void,
): Promise<number> {
  let sustained = 0
  for (const rate of RATES) {
    const reports = Math.round((fleet.length * rate * STEP_S) / PERIOD_S)
    const result = await orderField(field, { reports, seconds: STEP_S })
    note(toFieldNote(`${rate} times the rate`, result))
    if (result.p99Ms > SUSTAINED_MS || result.lateMs > SUSTAINED_MS || result.failed > 0) break
    sustained = rate
  }
  return sustained
}

/** Memory in use of a server that knows no company, MB. */
const measureEmptyMb = (): Promise<number> =>
  onEngines(async (urls) => {
    const server = await start(urls)
    try {
      return await measureUsedMb(server)
    } finally {
      await endProcess(server.child)
    }
  })

async function measure(urls: Urls, folder: string): Promise<BenchResult> {
  const client = createClient({
    url: urls.clickhouse,
    request_timeout: 7_200_000,
    log: { level: ClickHouseLogLevel.OFF },
  })
  const sql = await openPlainSql(urls.database)
  const notes: string[] = []
  const note = (line: string): void => {
    console.log(line)
    notes.push(line)
  }
  try {
    const made = await prepare(urls, client, sql, size)
    const emptyMb = await measureEmptyMb()
    const fleet = await readFleet(sql, TENANT)
    const fleetFile = join(folder, 'fleet.json')
    await writeFile(fleetFile, JSON.stringify(fleet))
    const devices = fleet.reduce((sum, { messages }) => sum + messages.flat().length, 0)
    const radios = fleet.filter(({ isRadio }) => isRadio).length
    note(
      `${devices} devices behind ${fleet.length} MQTT clients, ${radios} of them radios that connect for each report; ${made.rows} readings of ${size.days} days before.`,
    )
    console.log('the server makes the rollups ...')
    const first = await start(urls)
    await waitForRollups(client, made)
    await waitForSnapshot(client)
    await endProcess(first.child)

    const server = await start(urls)
    note(`ready after ${server.startS.toFixed(1)} s`)
    const calls = createServerCalls(server.port)
    const settings = (mqttPort: number): FieldSettings => ({
      url: `mqtt://127.0.0.1:${mqttPort}`,
      secret: SECRET,
      tenant: TENANT,
      fleetFile,
      boot: Math.floor(Date.now() / 1_000),
      answersCommands: false,
    })
    let ended = false
    try {
      const usedMb = await measureUsedMb(server)
      note(
        `${usedMb.toFixed(0)} MB in use after a garbage collection, ${emptyMb.toFixed(0)} MB in an empty server`,
      )
      const pages = await openPages(calls, urls, sql, CONSOLES)
      const field = await startField(settings(server.mqttPort))
      const mean = await measurePhase(server, field.child, pages, {
        reports: Math.round((fleet.length * MEAN_S) / PERIOD_S),
        seconds: MEAN_S,
      })
      note(toFieldNote('mean', mean.field))
      note(
        `pages, median / of 95 in 100: ${toPageNote(mean.pages)}; ${mean.cores.toFixed(2)} cores, ${mean.maxRssMb.toFixed(0)} MB`,
      )
      const burst = await measurePhase(server, field.child, pages, {
        reports: Math.round(fleet.length / 2),
        seconds: BURST_S,
      })
      note(toFieldNote('burst', burst.field))
      note(
        `pages, median / of 95 in 100: ${toPageNote(burst.pages)}; ${burst.cores.toFixed(2)} cores, ${burst.maxRssMb.toFixed(0)} MB`,
      )
      const steps = await watchUse(server.port, () => findSustained(field.child, fleet, note))
      note(
        `while the rate rose: ${steps.cores.toFixed(2)} cores of the server, ${steps.maxRssMb.toFixed(0)} MB`,
      )
      await endProcess(field.child)
      await endProcess(server.child)
      ended = true

      const again = await start(urls)
      note(`ready again after ${again.startS.toFixed(1)} s`)
      try {
        const back = performance.now()
        const returned = await startField(settings(again.mqttPort))
        const late = await orderField(returned.child, {
          reports: Math.round((fleet.length * AWAY_S) / PERIOD_S),
          seconds: 0,
        })
        const catchUpS = (performance.now() - back) / 1_000
        note(toFieldNote('after ten minutes away', late))
        await endProcess(returned.child)
        const peers: readonly BenchPeer[] = [
          { figure: 'puback_burst_p99_ms', label: 'between bursts, ms', value: mean.field.p99Ms },
          { figure: 'page_burst_p95_ms', label: 'between bursts, ms', value: p95(mean.pages) },
          { figure: 'live_push_burst_p95_ms', label: 'between bursts, ms', value: mean.pushes.p95Ms },
          { figure: 'cores_100k_mean', label: 'cores of the server in the burst', value: burst.cores },
          { figure: 'start_100k_s', label: 'the next start, s', value: again.startS },
          { figure: 'bytes_per_device', label: 'memory in use of an empty server, MB', value: emptyMb },
        ]
        return {
          figures: {
            rss_100k_mb: Math.max(mean.maxRssMb, burst.maxRssMb),
            bytes_per_device: ((usedMb - emptyMb) * 1e6) / devices,
            cores_100k_mean: mean.cores,
            puback_burst_p99_ms: burst.field.p99Ms,
            page_burst_p95_ms: p95(burst.pages),
            live_push_burst_p95_ms: burst.pushes.p95Ms,
            start_100k_s: server.startS,
            catch_up_10min_s: catchUpS,
            sustained_households: steps.result * size.households,
          },
          peers,
          notes,
        }
      } finally {
        await endProcess(again.child)
      }
    } finally {
      calls.close()
      if (!ended) await endProcess(server.child)
    }
  } finally {
    await Promise.all([client.close(), sql.close()])
  }
}

export const bench: Bench = {
  name: 'company',
  about:
    'A company of 100,000 households in one run: a month behind it, all devices speak, half of them within a minute, 50 consoles',
  run: () => onEngines(measure, { folder: REUSED }),
}
