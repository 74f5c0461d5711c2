import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { type MetricName, metrics } from '@isotherm/contract/metrics'
import { z } from 'zod'
import { copyDevices, fillDays, fillRoomHours } from '../history/fill-rollups.ts'
import { openPlainSql, type PlainSql } from '../registry/plain-sql.ts'
import { onEngines, PASSWORD, seedCompany, startServer, type Urls } from '../server/own-server.ts'
import { endProcess, waitForLine } from '../server/processes.ts'

const TENANT = 'bench'
const device = z.object({ id: z.coerce.number(), kind: z.string() })

/** Reported values by kind of device: metric, middle of the range, and width of the range. */
const reportedValues: Readonly<
  Record<string, readonly (readonly [metric: MetricName, middle: number, width: number])[]>
> = {
  valve: [
    ['valve.opening', 60, 60],
    ['temp.return', 38, 12],
  ],
  'heat-meter': [
    ['temp.supply', 46, 8],
    ['temp.return', 38, 12],
  ],
  'room-sensor': [['temp.room', 20.5, 8]],
  station: [['temp.supply', 47, 6]],
}

/** Pseudo-random share (0 to below 1) derived from a number; adjacent numbers give very different shares. */
const toShare = (number: number): number => (Math.imul(number, 2_654_435_761) >>> 0) / 2 ** 32

/** Stores a report of every device with the current time. Returns the number of devices. */
async function storeReports(client: ClickHouseClient, sql: PlainSql): Promise<number> {
  const devices = await sql.rows(device, 'select id, kind from device order by id')
  const now = new Date().toISOString().replace('T', ' ').replace('Z', '')
  for (let start = 0; start < devices.length; start += 50_000) {
    const values = devices.slice(start, start + 50_000).flatMap(({ id, kind }) =>
      (reportedValues[kind] ?? [['bat.v', 3.6, 0] as const]).map(([metric, middle, width]) => ({
        device: id,
        metric: metrics[metric].id,
        ts: now,
        received: now,
        quality: 0,
        value: middle + (toShare(id) - 0.5) * width,
        node: 1,
        boot: 1,
        seq: 1,
        months: 1,
        live: 1,
      })),
    )
    await client.insert({ table: 'readings', values, format: 'JSONEachRow' })
  }
  return devices.length
}

const ports = z.object({ port: z.number(), mqttPort: z.number() })
type Ports = z.infer<typeof ports>

async function onServer<Result>(
  urls: Urls,
  settings: Readonly<Record<string, string>>,
  work: (ports: Ports) => Promise<Result>,
): Promise<Result> {
  const server = startServer(urls, settings)
  try {
    return await work(ports.parse(JSON.parse(await waitForLine(server, 'ISOTHERM_READY'))))
  } finally {
    await endProcess(server)
  }
}

export interface LargeCompany {
  readonly url: string
  readonly port: number
  readonly mqttPort: number
  readonly tenant: string
  /** Direct access to the server's database. */
  readonly sql: PlainSql
  /** Direct access to the server's store of readings. */
  readonly clickhouse: ClickHouseClient
  /** Folder for files of the measurement; removed at the end. */
  readonly folder: string
  readonly devices: number
  /** Account with access to the whole company. */
  readonly account: string
  readonly password: string
}

/** Days of daily and of hourly values behind the company. */
const DAYS = 30
const HOURLY_DAYS = 7

/**
 * Starts a server with the console of `consoleDir` for a large company, in which every device has reported once, with
 * daily values of a month and hourly ones of the rooms for a week.
 */
export async function onLargeCompany<Result>(
  households: number,
  consoleDir: string,
  work: (company: LargeCompany) => Promise<Result>,
): Promise<Result> {
  return onEngines(async (urls, folder) => {
    await seedCompany(urls, households, TENANT)
    // The first start creates the tables of readings.
    await onServer(urls, {}, async () => undefined)
    const sql = await openPlainSql(urls.database)
    const clickhouse = createClient({
      url: urls.clickhouse,
      request_timeout: 3_600_000,
      log: { level: ClickHouseLogLevel.OFF },
    })
    try {
      await copyDevices(clickhouse, sql)
      await fillDays(clickhouse, DAYS)
      await fillRoomHours(clickhouse, HOURLY_DAYS)
      const devices = await storeReports(clickhouse, sql)
      return await onServer(urls, { ISOTHERM_CONSOLE_DIR: consoleDir }, (open) =>
        work({
          ...open,
          url: `http://127.0.0.1:${open.port}`,
          tenant: TENANT,
          sql,
          clickhouse,
          folder,
          devices,
          account: `${TENANT}.manager`,
          password: PASSWORD,
        }),
      )
    } finally {
      await Promise.all([sql.close(), clickhouse.close()])
    }
  })
}
