import type { ClickHouseClient } from '@clickhouse/client'
import { type MetricName, metrics } from '@isotherm/contract/metrics'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { z } from 'zod'
import type { PlainSql } from '../registry/plain-sql.ts'
import { selectNumbers, selectRows } from './select.ts'

/** Reported metrics by kind of device. They give about five values per household every 15 minutes. */
const reported: Readonly<Record<string, readonly MetricName[]>> = {
  'room-sensor': ['temp.room', 'bat.v'],
  valve: ['valve.opening', 'temp.return'],
  'heat-meter': ['heat.energy', 'heat.flow', 'temp.supply'],
}

const PERIOD_MS = 900_000
const SPARSE_PERIOD_MS = 6 * HOUR_MS
/** Number of newest days that are not merged with the days before: the engine only merges parts of similar size. */
const YOUNG_DAYS = 2
/** Readings per insert. An insert becomes one part per month. */
const ROWS_AT_ONCE = 10_000_000
const AS_ONE_PART = {
  min_insert_block_size_rows: '20000000',
  min_insert_block_size_bytes: '4000000000',
  // The rows are sorted and unique already.
  optimize_on_insert: 0 as const,
}

/** The generated readings. */
export interface GeneratedReadings {
  readonly rows: number
  readonly devices: number
  /** Half-open time range, Unix ms. */
  readonly from: number
  readonly to: number
  /** Percentage of devices with a reading every 15 minutes; the others have one every six hours. */
  readonly densePercent: number
}

const device = z.object({ id: z.coerce.number(), kind: z.string() })
const plan = z.tuple([z.coerce.number(), z.coerce.number(), z.coerce.number()])
const dense = (percent: number): string => `cityHash64(device) % 100 < ${percent}`
const toPeriod = (percent: number): string => `if(${dense(percent)}, ${PERIOD_MS}, ${SPARSE_PERIOD_MS})`

/** Whether an earlier run planned the readings of this folder. */
export const isPlanned = async (client: ClickHouseClient): Promise<boolean> =>
  (await selectNumbers(client, `SELECT count() FROM system.tables WHERE name = 'bench_plan'`))[0] === 1

/**
 * Stores which devices report and in which time range (`days` up to now), in runs of about equal size. Call it once before
 * generating readings.
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
  const from = to - Math.max(days, YOUNG_DAYS) * DAY_MS
  const young = Array.from({ length: YOUNG_DAYS }, (_, index) => to - (YOUNG_DAYS - index) * DAY_MS)
  const spans = [
    { since: from, until: young[0] ?? to },
    ...young.map((day) => ({ since: day, until: day + DAY_MS })),
  ]
  const runs = spans.map(({ since, until }) => {
    const perDevice = `length(metrics) * intDiv(${until - since}, ${toPeriod(densePercent)})`
    return `SELECT toInt64(${since}) AS since, toInt64(${until}) AS until, min(device) AS first, max(device) AS last
      FROM (SELECT device, sum(${perDevice}) OVER (ORDER BY device) AS before FROM bench_devices)
      GROUP BY intDiv(before, ${ROWS_AT_ONCE})`
  })
  await client.command({
    query: `CREATE TABLE bench_runs ENGINE = MergeTree ORDER BY (since, first) AS ${runs.join(' UNION ALL ')}`,
  })
  await client.command({
    query: `CREATE TABLE bench_made (since Int64, first UInt32) ENGINE = MergeTree ORDER BY (since, first)`,
  })
  await client.command({
    query: `CREATE TABLE bench_plan ENGINE = MergeTree ORDER BY from AS
      SELECT toInt64(${from}) AS from, toInt64(${to}) AS to, toUInt8(${densePercent}) AS percent`,
  })
}

/** SQL of a value: counters grow; temperatures and openings vary by device, day and hour. */
const value = `multiIf(metric = ${metrics['heat.energy'].id},
    round(device % 1000 + (at - {from: Int64}) / 3600000 * (0.5 + device % 7), 1),
  metric = ${metrics['bat.v'].id}, 3.6,
  metric = ${metrics['valve.opening'].id}, toFloat64(20 + (device + intDiv(at, 86400000)) % 60),
  round(18 + device % 8 + 2 * sin(at / 7000000 + device) + (cityHash64(device, metric, at) % 100) / 100, 1))`

/** Number of runs that cover the newest days. */
const countYoung = async (client: ClickHouseClient, from: number): Promise<number> =>
  (await selectNumbers(client, `SELECT count() FROM bench_runs WHERE since > ${from}`))[0] ?? 0

const planned = z.tuple([z.coerce.number(), z.coerce.number(), z.number(), z.number()])

/**
 * Generates the planned readings inside ClickHouse, in storage order. First come all days except the newest; `merge` then
 * joins them into one part per month. The newest days follow one by one. Existing readings stay; an interrupted run is
 * repeated with the same rows.
 */
export async function generateReadings(
  client: ClickHouseClient,
  merge: () => Promise<unknown>,
  say: (line: string) => void,
): Promise<GeneratedReadings> {
  const [stored] = await selectRows(client, plan, 'SELECT from, to, percent FROM bench_plan')
  if (!stored) throw new Error('no readings are planned')
  const [from, to, densePercent] = stored
  const left = await selectRows(
    client,
    planned,
    `SELECT since, until, first, last FROM bench_runs WHERE (since, first) NOT IN (SELECT since, first FROM bench_made)
     ORDER BY since, first`,
  )
  const isYoung = ([since]: z.infer<typeof planned>): boolean => since > from
  const young = left.filter(isYoung)
  let done = 0
  const make = async (runs: typeof left): Promise<void> => {
    for (const [since, until, first, last] of runs) {
      await client.command({
        query: `INSERT INTO readings (device, metric, ts, value, quality, received, node, boot, seq, months, live)
          SELECT device, metric, fromUnixTimestamp64Milli(at), ${value}, 0, fromUnixTimestamp64Milli(at + 2000),
            device, 1, intDiv(at - {from: Int64}, ${PERIOD_MS}), 1, 1
          FROM (SELECT device, metric, {since: Int64} + arrayJoin(range(0, {until: Int64} - {since: Int64}, ${toPeriod(densePercent)})) AS at
            FROM (SELECT device, arrayJoin(metrics) AS metric FROM bench_devices
              WHERE device BETWEEN ${first} AND ${last} ORDER BY device))`,
        query_params: { from, since, until },
        clickhouse_settings: AS_ONE_PART,
      })
      await client.insert({ table: 'bench_made', values: [{ since, first }], format: 'JSONEachRow' })
      done += 1
      if (done % 10 === 0) say(`${done} of ${left.length} times ${ROWS_AT_ONCE} readings made`)
    }
  }
  await make(left.filter((run) => !isYoung(run)))
  if (young.length === (await countYoung(client, from))) await merge()
  await make(young)
  const [rows = 0] = await selectNumbers(client, 'SELECT count() FROM readings')
  const [devices = 0] = await selectNumbers(client, 'SELECT count() FROM bench_devices')
  return { rows, devices, from, to, densePercent }
}

/** Some devices of a kind that report every 15 minutes, spread over the company. */
export const pickDevices = (
  client: ClickHouseClient,
  kind: string,
  count: number,
  { densePercent }: GeneratedReadings,
): Promise<number[]> =>
  selectNumbers(
    client,
    `SELECT device FROM bench_devices WHERE kind = '${kind}' AND ${dense(densePercent)}
     ORDER BY cityHash64(device, 'picked') LIMIT ${count}`,
  )
