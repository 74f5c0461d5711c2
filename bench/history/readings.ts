import type { ClickHouseClient } from '@clickhouse/client'
import { type MetricName, metrics } from '@isotherm/contract/metrics'
import { z } from 'zod'
import type { PlainSql } from '../registry/plain-sql.ts'
import { selectNumbers, selectRows } from './select.ts'

/** What a kind of device reports here: some five values a household and quarter of an hour. */
const reported: Readonly<Record<string, readonly MetricName[]>> = {
  'room-sensor': ['temp.room', 'bat.v'],
  valve: ['valve.opening', 'temp.return'],
  'heat-meter': ['heat.energy', 'heat.flow', 'temp.supply'],
}

const PERIOD_MS = 900_000
const SPARSE_PERIOD_MS = 6 * 3_600_000
const DAY_MS = 86_400_000
/** Readings of one insert, which becomes one part of each month. */
const ROWS_AT_ONCE = 10_000_000
const AS_ONE_PART = {
  min_insert_block_size_rows: '20000000',
  min_insert_block_size_bytes: '4000000000',
  // They come in order, each once.
  optimize_on_insert: 0 as const,
}

/** What is asked about. */
export interface MadeReadings {
  readonly rows: number
  readonly devices: number
  /** Unix ms of the first and after the last. */
  readonly from: number
  readonly to: number
  /** Share of the devices with a reading each quarter of an hour; the others have one in six hours. */
  readonly densePercent: number
}

const device = z.object({ id: z.coerce.number(), kind: z.string() })
const plan = z.tuple([z.coerce.number(), z.coerce.number(), z.coerce.number()])
const dense = (percent: number): string => `cityHash64(device) % 100 < ${percent}`
const toPeriod = (percent: number): string => `if(${dense(percent)}, ${PERIOD_MS}, ${SPARSE_PERIOD_MS})`

/** Whether a folder that was kept has at least the plan of what is to be made. */
export const isPlanned = async (client: ClickHouseClient): Promise<boolean> =>
  (await selectNumbers(client, `SELECT count() FROM system.tables WHERE name = 'bench_plan'`))[0] === 1

/**
 * Notes which devices report, in runs of about as many readings each, and from when to when: days up to now. Needs
 * no readings to be there; must be done once before they are made.
 */
export async function planReadings(
  client: ClickHouseClient,
  sql: PlainSql,
  days: number,
  densePercent: number,
): Promise<void> {
  const to = Math.floor(Date.now() / PERIOD_MS) * PERIOD_MS
  await client.command({
    query: `CREATE TABLE bench_devices (device UInt32, kind String, metrics Array(UInt16))
      ENGINE = MergeTree ORDER BY device`,
  })
  const found = await sql.rows(device, 'select id, kind from device where retired_at is null')
  const values = found.flatMap(({ id, kind }) => {
    const names = reported[kind]
    return names
      ? [{ device: id, kind, metrics: names.map((name) => metrics[name].id).sort((a, b) => a - b) }]
      : []
  })
  for (let start = 0; start < values.length; start += 100_000) {
    const part = values.slice(start, start + 100_000)
    await client.insert({ table: 'bench_devices', values: part, format: 'JSONEachRow' })
  }
  const perDevice = `length(metrics) * intDiv(${days * DAY_MS}, ${toPeriod(densePercent)})`
  await client.command({
    query: `CREATE TABLE bench_runs ENGINE = MergeTree ORDER BY run AS
      SELECT intDiv(before, ${ROWS_AT_ONCE}) AS run, min(device) AS first, max(device) AS last FROM (
        SELECT device, sum(${perDevice}) OVER (ORDER BY device) AS before FROM bench_devices)
      GROUP BY run`,
  })
  await client.command({
    query: `CREATE TABLE bench_made (run UInt64) ENGINE = MergeTree ORDER BY run`,
  })
  await client.command({
    query: `CREATE TABLE bench_plan ENGINE = MergeTree ORDER BY from AS
      SELECT toInt64(${to - days * DAY_MS}) AS from, toInt64(${to}) AS to, toUInt8(${densePercent}) AS percent`,
  })
}

/** Counters grow, temperatures and openings sway by device, day and hour. */
const value = `multiIf(metric = ${metrics['heat.energy'].id},
    round(device % 1000 + (at - {from: Int64}) / 3600000 * (0.5 + device % 7), 1),
  metric = ${metrics['bat.v'].id}, 3.6,
  metric = ${metrics['valve.opening'].id}, toFloat64(20 + (device + intDiv(at, 86400000)) % 60),
  round(18 + device % 8 + 2 * sin(at / 7000000 + device) + (cityHash64(device, metric, at) % 100) / 100, 1))`

/**
 * Makes the planned readings within ClickHouse, some devices of all days at a time, in the order they will lie in.
 * What was made before stays; a run that broke off is made again, of the same rows.
 */
export async function makeReadings(
  client: ClickHouseClient,
  say: (line: string) => void,
): Promise<MadeReadings> {
  const [planned] = await selectRows(client, plan, 'SELECT from, to, percent FROM bench_plan')
  if (!planned) throw new Error('no readings are planned')
  const [from, to, densePercent] = planned
  const left = await selectRows(
    client,
    z.tuple([z.coerce.number(), z.number(), z.number()]),
    'SELECT run, first, last FROM bench_runs WHERE run NOT IN (SELECT run FROM bench_made) ORDER BY run',
  )
  for (const [index, [run, first, last]] of left.entries()) {
    await client.command({
      query: `INSERT INTO readings (device, metric, ts, value, quality, received, node, boot, seq, months, live)
        SELECT device, metric, fromUnixTimestamp64Milli(at), ${value}, 0, fromUnixTimestamp64Milli(at + 2000),
          device, 1, intDiv(at - {from: Int64}, ${PERIOD_MS}), 1, 1
        FROM (SELECT device, metric, {from: Int64} + arrayJoin(range(0, {to: Int64} - {from: Int64}, ${toPeriod(densePercent)})) AS at
          FROM (SELECT device, arrayJoin(metrics) AS metric FROM bench_devices
            WHERE device BETWEEN ${first} AND ${last} ORDER BY device))`,
      query_params: { from, to },
      clickhouse_settings: AS_ONE_PART,
    })
    await client.insert({ table: 'bench_made', values: [{ run }], format: 'JSONEachRow' })
    if (index % 10 === 9) say(`${index + 1} of ${left.length} times ${ROWS_AT_ONCE} readings made`)
  }
  const [rows = 0] = await selectNumbers(client, 'SELECT count() FROM readings')
  const [devices = 0] = await selectNumbers(client, 'SELECT count() FROM bench_devices')
  return { rows, devices, from, to, densePercent }
}

/** Some devices of a kind of which there is a reading each quarter of an hour, spread over the company. */
export const pickDevices = (
  client: ClickHouseClient,
  kind: string,
  count: number,
  { densePercent }: MadeReadings,
): Promise<number[]> =>
  selectNumbers(
    client,
    `SELECT device FROM bench_devices WHERE kind = '${kind}' AND ${dense(densePercent)}
     ORDER BY cityHash64(device, 'picked') LIMIT ${count}`,
  )
