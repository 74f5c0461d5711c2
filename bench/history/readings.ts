import type { ClickHouseClient } from '@clickhouse/client'
import { type MetricName, metrics } from '@isotherm/contract/metrics'
import { z } from 'zod'
import type { PlainSql } from '../registry/plain-sql.ts'

/** What a kind of device reports here: some five values a household and quarter of an hour. */
const reported: Readonly<Record<string, readonly MetricName[]>> = {
  'room-sensor': ['temp.room', 'bat.v'],
  valve: ['valve.opening', 'temp.return'],
  'heat-meter': ['heat.energy', 'heat.volume', 'heat.power', 'heat.flow', 'temp.supply', 'temp.return'],
}

const PERIOD_MS = 900_000
const SPARSE_PERIOD_MS = 6 * 3_600_000
const DAY_MS = 86_400_000
/** Rows of one insert: well below the time after which an answer is given up. */
const ROWS_AT_ONCE = 10_000_000

export interface MadeReadings {
  readonly rows: number
  readonly devices: number
  /** Unix ms of the first and after the last. */
  readonly from: number
  readonly to: number
}

const device = z.object({ id: z.coerce.number(), kind: z.string() })
const dense = (percent: number): string => `cityHash64(device) % 100 < ${percent}`

export async function selectNumbers(client: ClickHouseClient, query: string): Promise<number[]> {
  const answer = await client.query({ query, format: 'JSONCompactEachRow' })
  return z
    .array(z.tuple([z.coerce.number()]))
    .parse(await answer.json())
    .map(([value]) => value)
}

async function copyDevices(client: ClickHouseClient, sql: PlainSql): Promise<number> {
  await client.command({
    query: `CREATE TABLE bench_devices (device UInt32, kind String, metrics Array(UInt16)) ENGINE = MergeTree ORDER BY device`,
  })
  const devices = await sql.rows(device, 'select id, kind from device where retired_at is null')
  const values = devices.flatMap(({ id, kind }) => {
    const names = reported[kind]
    return names ? [{ device: id, kind, metrics: names.map((name) => metrics[name].id) }] : []
  })
  for (let start = 0; start < values.length; start += 100_000) {
    const part = values.slice(start, start + 100_000)
    await client.insert({ table: 'bench_devices', values: part, format: 'JSONEachRow' })
  }
  return values.length
}

/** Counters grow, temperatures and openings sway by device, day and hour. */
const value = `multiIf(metric IN (${metrics['heat.energy'].id}, ${metrics['heat.volume'].id}),
    round(device % 1000 + (at - {from: Int64}) / 3600000 * (0.5 + device % 7), 1),
  metric = ${metrics['bat.v'].id}, 3.6,
  metric = ${metrics['valve.opening'].id}, toFloat64(20 + (device + intDiv(at, 86400000)) % 60),
  round(18 + device % 8 + 2 * sin(at / 7000000 + device) + (cityHash64(device, metric, at) % 100) / 100, 1))`

/**
 * Readings of all devices over the days up to now, made within ClickHouse and stored day by day, as they come in.
 * Of `densePercent` of the devices there is one each quarter of an hour, of the others one in six hours.
 */
export async function makeReadings(
  client: ClickHouseClient,
  sql: PlainSql,
  days: number,
  densePercent: number,
): Promise<MadeReadings> {
  const devices = await copyDevices(client, sql)
  const to = Math.floor(Date.now() / PERIOD_MS) * PERIOD_MS
  const from = to - days * DAY_MS
  const period = `if(${dense(densePercent)}, ${PERIOD_MS}, ${SPARSE_PERIOD_MS})`
  const [perDay = 0] = await selectNumbers(
    client,
    `SELECT sum(length(metrics) * intDiv(${DAY_MS}, ${period})) FROM bench_devices`,
  )
  const runs = Math.ceil(perDay / ROWS_AT_ONCE)
  for (let day = from; day < to; day += DAY_MS) {
    for (let run = 0; run < runs; run += 1) {
      await client.command({
        query: `INSERT INTO readings (device, metric, ts, value, quality, received, node, boot, seq, months, live)
          SELECT device, metric, fromUnixTimestamp64Milli(at), ${value}, 0, fromUnixTimestamp64Milli(at + 2000),
            device, 1, intDiv(at - {from: Int64}, ${PERIOD_MS}), 1, 1
          FROM (SELECT device, {day: Int64} + arrayJoin(range(0, ${DAY_MS}, ${period})) AS at, arrayJoin(metrics) AS metric
            FROM bench_devices WHERE device % ${runs} = ${run})`,
        query_params: { from, day },
      })
    }
  }
  const [rows = 0] = await selectNumbers(client, 'SELECT count() FROM readings')
  return { rows, devices, from, to }
}

/** Some devices of a kind of which there is a reading each quarter of an hour, spread over the company. */
export const pickDevices = (
  client: ClickHouseClient,
  kind: string,
  count: number,
  densePercent: number,
): Promise<number[]> =>
  selectNumbers(
    client,
    `SELECT device FROM bench_devices WHERE kind = '${kind}' AND ${dense(densePercent)}
     ORDER BY cityHash64(device, 'picked') LIMIT ${count}`,
  )

/** Waits until the engine has merged what it wants to, a minute and a half at most; how long it took, ms. */
export async function waitForMerges(client: ClickHouseClient): Promise<number> {
  const started = performance.now()
  while (performance.now() - started < 90_000) {
    const [merging = 0] = await selectNumbers(client, 'SELECT count() FROM system.merges')
    if (merging === 0) break
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
  return performance.now() - started
}
