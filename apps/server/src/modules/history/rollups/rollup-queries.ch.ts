import { DOUBTFUL_QUALITY, metrics } from '@isotherm/contract/metrics'
import { z } from 'zod'
import {
  type ClickHouseClient,
  createReadRows,
  estimateRows,
} from '../../../platform/clickhouse/clickhouse.ch.ts'
import {
  fromShards,
  onCluster,
  toDatabase,
  toOwnTable,
  toStoring,
} from '../../../platform/clickhouse/cluster.ts'
import type { RollupLevel, RollupMarks, RollupPart, RollupRun } from './rollup-types.ts'

const COLUMNS = `total, good, sum_value, min_value, max_value, min_at, max_at, first_value, last_value, quality, version`

const isGood = `bitAnd(quality, ${DOUBTFUL_QUALITY}) = 0`

/**
 * One thread, because inserts and queries of the console have priority. Aggregates in the sort order, so memory does
 * not depend on the length. The engine gives up when the client does; otherwise it would run beside the next attempt.
 */
const SETTINGS =
  'SETTINGS max_threads = 1, optimize_aggregation_in_order = 1, do_not_merge_across_partitions_select_final = 1, max_execution_time = 30'

const marksRow = z.tuple([z.number(), z.number(), z.number(), z.number(), z.number()])
const partRow = z.tuple([z.number(), z.number(), z.array(z.number())])
const monthRow = z.tuple([z.number(), z.array(z.number())])
const engineTimeRow = z.tuple([z.number()])
const zoneRow = z.tuple([z.string()])
const HOUR_S = 3_600
/** The largest possible id. */
const LAST_DEVICE = 2 ** 32 - 1
const SHARES = Array.from({ length: 63 }, (_, index) => (index + 1) / 64)

/** Expression for ids with about the same number of rows between each two. */
const toBounds = (device: string): string =>
  `arrayConcat([min(${device})], arrayMap(id -> toUInt32(round(id)), quantiles(${SHARES.join(',')})(${device})), [max(${device})])`

/** Condition for the rows of a part; both ends of time are whole hours. */
const isInPart = (at: string): string => `${at} >= toDateTime({from: UInt32}, 'UTC')
  AND ${at} < toDateTime({to: UInt32}, 'UTC') AND device >= {firstDevice: UInt32} AND device <= {lastDevice: UInt32}`

interface Level {
  readonly table: string
  /** Condition for the source rows, on columns of the sort key. `late`: only devices with late readings. */
  isOf(late: boolean): string
}

/**
 * Condition for the columns of devices and times with readings that were stored since a time. `readings`: the table of a
 * shard on a cluster, because a shard has all rows of its devices.
 */
const isLate = (
  readings: string,
  columns: string,
  ofReadings: string,
): string => `AND (${columns}) IN (SELECT ${ofReadings}
  FROM ${readings} WHERE stored >= toDateTime({storedSince: UInt32}, 'UTC') AND ${isInPart('toStartOfHour(ts)')} GROUP BY ${ofReadings})`

const toLevels = (zone: string, readings: string): Readonly<Record<RollupLevel, Level>> => ({
  hours: {
    table: 'readings',
    isOf: (late) =>
      `${isInPart('ts')} ${late ? isLate(readings, 'device, toStartOfHour(ts)', 'device, toStartOfHour(ts)') : ''}`,
  },
  days: {
    table: 'readings_hour',
    isOf: (late) =>
      `${isInPart('hour')} ${late ? isLate(readings, `device, toDate(hour, '${zone}')`, `device, toDate(toStartOfHour(ts), '${zone}')`) : ''}`,
  },
})

/** The key columns are read first, then the values of the remaining rows. */
const toHours = (isOf: string): string => `
  INSERT INTO readings_hour (device, metric, hour, ${COLUMNS})
  SELECT device, metric, toStartOfHour(ts), count(), countIf(${isGood}),
    sumIf(value, ${isGood}), minIf(value, ${isGood}), maxIf(value, ${isGood}),
    toDateTime(argMinIf(ts, value, ${isGood})), toDateTime(argMaxIf(ts, value, ${isGood})),
    argMinIf(value, ts, ${isGood}), argMaxIf(value, ts, ${isGood}), groupBitOr(quality), now64(3)
  FROM readings FINAL PREWHERE ${isOf}
  GROUP BY device, metric, toStartOfHour(ts) ${SETTINGS}`

const isMean = `good > 0 AND metric = ${metrics['temp.room'].id}`

const toDays = (zone: string, isOf: string): string => `
  INSERT INTO readings_day (metric, day, device, hours, mean_hours, hour_means, ${COLUMNS})
  SELECT metric, toDate(hour, '${zone}'), device, count(),
    groupArrayIf(toUInt8(toHour(hour, '${zone}')), ${isMean}), groupArrayIf(sum_value / good, ${isMean}),
    sum(total), sum(good), sum(sum_value),
    minIf(min_value, good > 0), maxIf(max_value, good > 0),
    argMinIf(min_at, min_value, good > 0), argMaxIf(max_at, max_value, good > 0),
    argMinIf(first_value, hour, good > 0), argMaxIf(last_value, hour, good > 0), groupBitOr(quality), now64(3)
  FROM readings_hour FINAL PREWHERE ${isOf}
  GROUP BY device, metric, toDate(hour, '${zone}') ${SETTINGS}`

/** Month of an instant as a ClickHouse partition: 202611. */
function toMonth(atS: number): number {
  const at = new Date(atS * 1000)
  return at.getUTCFullYear() * 100 + at.getUTCMonth() + 1
}

const toParts = (rows: readonly z.infer<typeof partRow>[]): RollupPart[] =>
  rows.map(([from, to, devices]) => ({ fromS: from, toS: to + HOUR_S, devices }))

const toParams = ({ fromS, toS, firstDevice, lastDevice }: RollupRun, storedSinceS: number | undefined) => ({
  from: fromS,
  to: toS,
  firstDevice,
  lastDevice,
  ...(storedSinceS === undefined ? {} : { storedSince: storedSinceS }),
})

/** Expressions for a part, from rows of a device at an instant. */
const toPartColumns = (
  at: string,
): string => `toUnixTimestamp(toStartOfHour(min(${at}))), toUnixTimestamp(toStartOfHour(max(${at}))),
  ${toBounds('device')}`

/**
 * Progress of the rollups of a time zone; undefined if nothing was built in it. `writtenS`: time of writing by the
 * engine's clock.
 */
export async function readMarks(
  client: ClickHouseClient,
  zone: string,
): Promise<(RollupMarks & { readonly writtenS: number }) | undefined> {
  const query = `SELECT toUnixTimestamp(closed), toUnixTimestamp(stored), toUnixTimestamp(toDateTime(written)),
      toUnixTimestamp(begun), device
    FROM rollup_marks FINAL WHERE zone = {zone: String}`
  const [row] = await createReadRows(client)(marksRow, query, { zone })
  if (!row) return undefined
  const [closedS, storedS, writtenS, toS, device] = row
  return { closedS, storedS, writtenS, ...(toS === 0 ? {} : { begun: { toS, device } }) }
}

export async function writeMarks(
  client: ClickHouseClient,
  zone: string,
  { closedS, storedS, begun }: RollupMarks,
): Promise<void> {
  const { toS, device } = begun ?? { toS: 0, device: 0 }
  const values = [{ zone, closed: closedS, stored: storedS, begun: toS, device }]
  await client.insert({ table: 'rollup_marks', values, format: 'JSONEachRow' })
}

/** Another time zone whose rollups were built since an instant of the engine's clock; undefined if there is none. */
export async function findOtherZone(
  client: ClickHouseClient,
  zone: string,
  sinceS: number,
): Promise<string | undefined> {
  const query = `SELECT zone FROM rollup_marks FINAL
    WHERE zone != {zone: String} AND written >= toDateTime({since: UInt32}, 'UTC') LIMIT 1`
  const [row] = await createReadRows(client)(zoneRow, query, { zone, since: sinceS })
  return row?.[0]
}

/** Drops the days and the progress of all time zones. The hours are the same in each. */
export async function dropDays(client: ClickHouseClient): Promise<void> {
  for (const table of ['readings_day', 'rollup_marks'])
    await client.command({ query: `TRUNCATE TABLE ${toStoring(client, table)}${onCluster(client)}` })
}

/** Time of the engine's clock, Unix s. */
export async function readEngineTime(client: ClickHouseClient): Promise<number> {
  const [row] = await createReadRows(client)(engineTimeRow, 'SELECT toUnixTimestamp(now())')
  if (!row) throw new Error('the store does not return its time')
  return row[0]
}

/** Parts of a time range (Unix s, whole hours), one per month with readings, with all devices. */
export async function findBetween(
  client: ClickHouseClient,
  fromS: number,
  toS: number,
): Promise<RollupPart[]> {
  if (fromS >= toS) return []
  const months = await createReadRows(client)(
    monthRow,
    // Reads only the index, whose marks represent the same number of rows each: a season has billions of rows.
    `SELECT toUInt32(splitByChar('_', part_name)[1]) AS month, ${toBounds('device')}
     FROM ${fromShards(client, `mergeTreeIndex(${toDatabase(client)}, '${toStoring(client, 'readings')}')`)}
     WHERE month >= {first: UInt32} AND month <= {last: UInt32} GROUP BY month ORDER BY month`,
    { first: toMonth(fromS), last: toMonth(toS - 1) },
  )
  return months.map(([month, devices]) => {
    const [year, index] = [Math.floor(month / 100), (month % 100) - 1]
    const [beginS, endS] = [Date.UTC(year, index) / 1000, Date.UTC(year, index + 1) / 1000]
    return {
      fromS: Math.max(fromS, beginS),
      toS: Math.min(toS, endS),
      devices: [...devices, LAST_DEVICE],
    }
  })
}

/** Late readings: stored since a time of the engine's clock, measured in a range of whole hours. All Unix s. */
export interface LateQuery {
  readonly storedSinceS: number
  readonly fromS: number
  readonly toS: number
  /** From here on there is one part per hour instead of one per day of the plant. Larger parts would read rows without need. */
  readonly byHourFromS: number
}

/** Parts with late readings: one per day of the plant, or one per hour. `zone`: validated IANA name. */
export async function findLate(
  client: ClickHouseClient,
  zone: string,
  { storedSinceS, fromS, toS, byHourFromS }: LateQuery,
): Promise<RollupPart[]> {
  const rows = await createReadRows(client)(
    partRow,
    `SELECT ${toPartColumns('hour')} FROM (SELECT device, toStartOfHour(ts) AS hour FROM readings
       WHERE stored >= toDateTime({stored: UInt32}, 'UTC')
         AND ts >= toDateTime({from: UInt32}, 'UTC') AND ts < toDateTime({to: UInt32}, 'UTC') GROUP BY device, hour)
     GROUP BY toDate(hour, '${zone}'), if(hour < toDateTime({byHourFrom: UInt32}, 'UTC'), 24, toHour(hour))
     ORDER BY min(hour)`,
    { stored: storedSinceS, from: fromS, to: toS, byHourFrom: byHourFromS },
  )
  return toParts(rows)
}

/** Rollups of one level for a run: of all readings, or only those with readings that were stored since a time. */
export interface RollupBuild {
  readonly level: RollupLevel
  readonly run: RollupRun
  /** Unix s of the engine's clock. */
  readonly storedSinceS?: number | undefined
}

/**
 * Approximate number of rows that the engine reads for a run. It can be more than the rows of the run, because the rows
 * of a device are stored by month.
 */
export async function countRollupRows(
  client: ClickHouseClient,
  zone: string,
  { level, run, storedSinceS }: RollupBuild,
): Promise<number> {
  const { table, isOf } = toLevels(zone, toOwnTable(client, 'readings'))[level]
  const condition = isOf(storedSinceS !== undefined)
  return estimateRows(client, { table, column: 'device', condition }, toParams(run, storedSinceS))
}

/**
 * Builds the hours of a run from readings, or its days from hours; days need a run of whole days. A rollup that is
 * built again replaces the former one, so every step can be repeated. `zone`: validated IANA name.
 */
export async function buildRollups(
  client: ClickHouseClient,
  zone: string,
  { level, run, storedSinceS }: RollupBuild,
): Promise<void> {
  const isOf = toLevels(zone, toOwnTable(client, 'readings'))[level].isOf(storedSinceS !== undefined)
  const query = level === 'hours' ? toHours(isOf) : toDays(zone, isOf)
  await client.command({ query, query_params: toParams(run, storedSinceS) })
}
