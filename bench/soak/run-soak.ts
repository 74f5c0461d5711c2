import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { z } from 'zod'
import { collectGarbage } from '../company/collect-garbage.ts'
import { type Started, start } from '../company/company-server.ts'
import { readFleet } from '../company/fleet.ts'
import { type CompanySize, openPages, prepare, waitForRollups } from '../company/prepare.ts'
import { readUse } from '../company/server-process.ts'
import { selectNumbers } from '../history/select.ts'
import { TENANT } from '../registry/company.ts'
import { openPlainSql } from '../registry/plain-sql.ts'
import { createServerCalls } from '../registry/server-calls.ts'
import { type EnginePids, SECRET, type Urls } from '../server/own-server.ts'
import { endProcess } from '../server/processes.ts'
import { listFaults } from './faults.ts'
import { startFieldLoad } from './field-load.ts'
import { type Incident, recordIncidents } from './incidents.ts'
import { createPeople, type Seen } from './people.ts'

const WATCH_ALL = 10
/** Every device reports once in this time, s. */
const REPORT_PERIOD_S = 900
/** Everything that was acknowledged is stored within this time, s. */
const SETTLE_S = 120

export interface SoakSettings {
  readonly hours: number
  /** Time from one fault to the next, ms. */
  readonly periodMs: number
  readonly size: CompanySize
  readonly consoles: number
}

const bytes = z.object({ bytes: z.coerce.number() })

/** The state at the end of a period. */
export interface Period extends Seen {
  /** Time since the start, h. */
  readonly atH: number
  readonly fault: string
  /** Memory in use after a garbage collection, and of the process, MB. */
  readonly usedMb: number
  readonly rssMb: number
  /** Open files and connections of the server. */
  readonly handles: number
  /** Readings, orders, logs on the disk, MB. */
  readonly diskMb: number
  readonly pubackP99Ms: number
}

export interface SoakResult {
  readonly periods: readonly Period[]
  readonly messages: number
  /** Acknowledged messages that are not stored. */
  readonly lost: number
  /** Errors that a fault explains. */
  readonly explained: number
  readonly unexplained: readonly Incident[]
}

/** Error lines of the server; it logs nothing below. */
function watchErrors({ child }: Started, add: (what: string) => void): void {
  for (const stream of [child.stdout, child.stderr])
    if (stream)
      createInterface(stream).on('line', (line) => {
        if (/"level":"?(50|60|error|fatal)|Error/.test(line)) add(`server: ${line}`)
      })
}

async function readDiskMb(client: ClickHouseClient, { database }: Urls): Promise<number> {
  const [parts = 0] = await selectNumbers(
    client,
    "SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database != 'system'",
  )
  const sql = await openPlainSql(database)
  try {
    const [row] = await sql.rows(bytes, 'select pg_database_size(current_database()) as bytes')
    return (parts + (row?.bytes ?? 0)) / 1e6
  } finally {
    await sql.close()
  }
}

async function countLost(
  client: ClickHouseClient,
  acknowledged: ReadonlyMap<number, number>,
): Promise<number> {
  let lost = 0
  for (const [boot, messages] of acknowledged) {
    for (let seconds = 0; ; seconds += 1) {
      const query = `SELECT uniqExact(node, seq) FROM readings WHERE boot = ${boot}`
      const [stored = 0] = await selectNumbers(client, query)
      const missing = Math.max(0, messages - stored)
      if (missing === 0 || seconds >= SETTLE_S) {
        lost += missing
        break
      }
      await wait(1_000)
    }
  }
  return lost
}

/** Runs a company under load and faults, and records its state at the end of each period. */
export async function runSoak(
  { hours, periodMs, size, consoles }: SoakSettings,
  urls: Urls,
  folder: string,
  pids: EnginePids,
  log: (line: string) => void,
): Promise<SoakResult> {
  const client = createClient({
    url: urls.clickhouse,
    request_timeout: 7_200_000,
    log: { level: ClickHouseLogLevel.OFF },
  })
  const sql = await openPlainSql(urls.database)
  const incidents = recordIncidents()
  try {
    const made = await prepare(urls, client, sql, size)
    const fleet = await readFleet(sql, TENANT)
    const fleetFile = join(folder, 'fleet.json')
    await writeFile(fleetFile, JSON.stringify(fleet))
    const server = await start(urls)
    const calls = createServerCalls(server.port)
    try {
      await waitForRollups(client, made)
      watchErrors(server, incidents.add)
      const pages = await openPages(calls, urls, sql, consoles)
      // A fault ends all connections.
      await sql.close()
      const field = await startFieldLoad(
        {
          url: `mqtt://127.0.0.1:${server.mqttPort}`,
          secret: SECRET,
          tenant: TENANT,
          fleetFile,
          answersCommands: true,
        },
        fleet.length / REPORT_PERIOD_S,
        incidents,
      )
      const watching = {
        concentrators: 0,
        valves: 0,
        periodMs: REPORT_PERIOD_S * 1_000,
        watchAll: Math.min(WATCH_ALL, consoles),
        watchArea: Math.max(0, consoles - WATCH_ALL),
        measuredMs: periodMs,
        url: `ws://127.0.0.1:${server.port}/live`,
        areas: pages.places.map(({ id }) => String(id)),
      }
      const people = createPeople(pages, watching, incidents)
      const faults = listFaults(urls, pids, field, people)
      const startedAt = Date.now()
      const periods: Period[] = []
      while (Date.now() - startedAt < hours * HOUR_MS - MINUTE_MS) {
        const fault = faults[periods.length % faults.length]
        const working = people.work(periodMs)
        await wait(periodMs / 2)
        if (fault) await incidents.explain(() => fault.run())
        const seen = await working
        await collectGarbage(server.inspector)
        const { usedMb, rssMb, handles } = await readUse(server.port)
        const period: Period = {
          ...seen,
          atH: (Date.now() - startedAt) / HOUR_MS,
          fault: fault?.name ?? '',
          usedMb,
          rssMb,
          handles,
          diskMb: await readDiskMb(client, urls),
          pubackP99Ms: field.takeP99Ms(),
        }
        periods.push(period)
        log(toLine(period))
      }
      const acknowledged = await field.stop()
      return {
        periods,
        messages: [...acknowledged.values()].reduce((sum, messages) => sum + messages, 0),
        lost: await countLost(client, acknowledged),
        explained: incidents.countExplained(),
        unexplained: incidents.listUnexplained(),
      }
    } finally {
      calls.close()
      await endProcess(server.child)
    }
  } finally {
    await Promise.all([client.close(), sql.close().catch(() => undefined)])
  }
}

const round = (value: number): string => (Number.isNaN(value) ? '-' : value.toFixed(0))

const toLine = (period: Period): string =>
  `${(period.atH * 60).toFixed(0)} min: ${round(period.usedMb)} MB in use, process ${round(period.rssMb)} MB, ${period.handles} handles, disk ${round(period.diskMb)} MB; pages ${round(period.pageP95Ms)} ms, push ${round(period.pushP95Ms)} ms, PUBACK ${round(period.pubackP99Ms)} ms; ${period.fault}`
