import type { ClickHouseClient } from '@clickhouse/client'
import { isMetricName, type MetricName, metrics } from '@isotherm/contract/metrics'
import { z } from 'zod'
import { createLocalDays } from '../../apps/server/src/modules/history/calendar/local-days.ts'
import { buildRollups, writeMarks } from '../../apps/server/src/modules/history/rollups/rollup-queries.ch.ts'
import type { PlainSql } from '../registry/plain-sql.ts'

const device = z.object({ id: z.coerce.number(), kind: z.string() })

/** One insert in parts of 4,000,000 rows. */
const IN_LARGE_PARTS = `SETTINGS max_partitions_per_insert_block = 0, max_insert_block_size = 4000000,
  min_insert_block_size_rows = 4000000`

/** Daily value of a device by kind, as an expression of `device` and `day`. */
const daily: Readonly<Record<string, Partial<Record<MetricName, string>>>> = {
  valve: { 'temp.return': '35 + device % 100 / 25 + toDayOfYear(day) % 7', 'valve.opening': '50' },
  'room-sensor': { 'temp.room': '17 + device % 100 / 15' },
  'heat-meter': { 'heat.energy': '1000 + toRelativeDayNum(day) * (20 + device % 10)' },
  station: { 'temp.supply': '45', 'temp.outdoor': '-5 + toDayOfYear(day) % 11', 'pump.power': '4' },
}

const DAY_S = 86_400

const toMetricId = (name: string): number => (isMetricName(name) ? metrics[name].id : 0)

/** Lowest, highest and last value of a day that begins with `v`. A register only grows. */
const toEnds = (name: string): string =>
  name === 'heat.energy' ? 'v, v + 19, day, day, v, v + 19' : 'v - 1, v + 1, day, day, v, v'

/** Copies the devices in use into the table bench_devices of the store of readings. Returns how many there are of each kind. */
export async function copyDevices(
  client: ClickHouseClient,
  sql: PlainSql,
): Promise<ReadonlyMap<string, number>> {
  await client.command({
    query: 'CREATE TABLE bench_devices (device UInt32, kind String) ENGINE = MergeTree ORDER BY device',
  })
  const found = await sql.rows(device, 'select id, kind from device where retired_at is null')
  const values = found.map(({ id, kind }) => ({ device: id, kind }))
  await client.insert({ table: 'bench_devices', values, format: 'JSONEachRow' })
  return new Map([...Map.groupBy(found, ({ kind }) => kind)].map(([kind, of]) => [kind, of.length]))
}

/** Daily rollups of every device in bench_devices up to yesterday, merged like after a night. */
export async function fillDays(client: ClickHouseClient, days: number): Promise<void> {
  for (const [kind, values] of Object.entries(daily))
    for (const [name, value] of Object.entries(values))
      await client.command({
        query: `INSERT INTO readings_day (metric, day, device, total, hours, good, sum_value, min_value, max_value, min_at,
            max_at, first_value, last_value, quality, version)
          SELECT ${toMetricId(name)}, day, device, 96, 24 - device % 3, 96, 96 * v, ${toEnds(name)}, 0, now64(3)
          FROM (SELECT device, today() - 1 - number AS day, ${value} AS v FROM bench_devices
            CROSS JOIN numbers(${days}) AS numbers WHERE kind = '${kind}')
          ${IN_LARGE_PARTS}`,
      })
  await client.command({ query: 'OPTIMIZE TABLE readings_day FINAL' })
}

/** Time zone of a server without settings of its own. */
const ZONE = 'Asia/Shanghai'
const ALL_DEVICES = { firstDevice: 0, lastDevice: 2 ** 32 - 1 }

/** Hourly means of the rooms in bench_devices over the last days, and the days of these hours as the server makes them. */
export async function fillRoomHours(client: ClickHouseClient, days: number): Promise<void> {
  await client.command({
    query: `INSERT INTO readings_hour (device, metric, hour, total, good, sum_value, min_value, max_value, min_at, max_at,
        first_value, last_value, quality, version)
      SELECT device, ${metrics['temp.room'].id}, toStartOfHour(now('UTC')) - number * 3600 AS at, 4, 4, 4 * v, v, v, at, at, v, v, 0,
        now64(3)
      FROM (SELECT device, number, 15 + device % 100 / 11 + number % 24 / 10 AS v FROM bench_devices
        CROSS JOIN numbers(${days * 24}) AS numbers WHERE kind = 'room-sensor')
      ${IN_LARGE_PARTS}`,
  })
  const { startOfDay } = createLocalDays(ZONE)
  const todayS = startOfDay(Date.now()) / 1_000
  for (let day = days; day > 0; day -= 1) {
    const run = { fromS: todayS - day * DAY_S, toS: todayS - (day - 1) * DAY_S, ...ALL_DEVICES }
    await buildRollups(client, ZONE, { level: 'days', run })
  }
  await writeMarks(client, ZONE, { closedS: todayS, storedS: Math.floor(Date.now() / 1_000) })
}
