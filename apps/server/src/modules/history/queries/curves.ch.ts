import { DOUBTFUL_QUALITY } from '@isotherm/contract/metrics'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { z } from 'zod'
import type { LocalDays } from '../calendar/local-days.ts'
import type { Curve, CurveLevel, HistoryQuery, Point } from './history-queries.ts'
import type { Rows } from './rows.ch.ts'

const pointRow = z.tuple([z.number(), z.number(), z.coerce.number(), z.number(), z.number()])
const bucketPoint = z.tuple([z.coerce.number(), z.number(), z.number()])
const bucketRow = z.tuple([z.number(), z.number(), bucketPoint, bucketPoint])

type Pair = readonly [device: number, metric: number]
type Take = (pair: Pair, point: Point) => void

const between = (from: string, to: string): string =>
  `ts >= fromUnixTimestamp64Milli({${from}: Int64}) AND ts < fromUnixTimestamp64Milli({${to}: Int64})`
const WHERE = between('from', 'to')
const isOf = (pairs: readonly Pair[]): string =>
  `(device, metric) IN (${pairs.map(([d, m]) => `(${d},${m})`).join(',')})`

/** Equal rows are always in the same month, so FINAL may merge each month on its own. */
const SETTINGS = 'SETTINGS do_not_merge_across_partitions_select_final = 1, max_execution_time = 20'

/**
 * Reads all readings. For a curve with more than `maxPoints` it reads one more, which shows that there are too many.
 */
async function readAllPoints(
  rows: Rows,
  query: HistoryQuery,
  pairs: readonly Pair[],
  take: Take,
): Promise<void> {
  const sql = `SELECT device, metric, toUnixTimestamp64Milli(ts), value, quality FROM readings FINAL
    WHERE ${isOf(pairs)} AND ${WHERE} ORDER BY device, metric, ts
    LIMIT ${query.maxPoints + 1} BY device, metric ${SETTINGS}`
  for await (const row of rows(sql, { from: query.from, to: query.to })) {
    const [device, metric, ts, value, quality] = pointRow.parse(row)
    take([device, metric], [ts, value, quality])
  }
}

/** The part of the range that is read from a rollup, Unix ms. Before and after it readings are used. */
interface Rolled {
  readonly level: Exclude<CurveLevel, 'raw'>
  readonly start: number
  readonly end: number
}

const toSpanMs = ({ from, to, maxPoints }: HistoryQuery): number =>
  Math.max(1, Math.ceil((to - from) / Math.floor(maxPoints / 2)))

/** The coarsest rollup that is not wider than a pair of points, as far as it is built; undefined if there is none. */
function findRolled(query: HistoryQuery, closedMs: number | undefined, days: LocalDays): Rolled | undefined {
  const spanMs = toSpanMs(query)
  if (closedMs === undefined || spanMs < HOUR_MS) return undefined
  const last = Math.min(query.to, closedMs)
  const level = spanMs < DAY_MS ? 'hour' : 'day'
  const start =
    level === 'hour' ? Math.ceil(query.from / HOUR_MS) * HOUR_MS : days.startOfNextDay(query.from - 1)
  const end = level === 'hour' ? Math.floor(last / HOUR_MS) * HOUR_MS : days.startOfDay(last)
  return end > start ? { level, start, end } : undefined
}

const RAW_EXTREMES = `SELECT device, metric, toUnixTimestamp64Milli(ts) AS at, at AS low_at, value AS low, at AS high_at,
  value AS high, quality FROM readings FINAL`

/** Extremes of a rollup, without doubtful values. A bucket with only doubtful ones has no points. */
function rolledExtremes({ level, start, end }: Rolled, pairs: readonly Pair[], zone: string): string {
  const at = (ms: number) => `toDateTime(${ms / 1000}, 'UTC')`
  const dayOf = (ms: number) => `toDate(${at(ms)}, '${zone}')`
  const [begin, range] =
    level === 'hour'
      ? ['hour', `hour >= ${at(start)} AND hour < ${at(end)}`]
      : [`toDateTime(day, '${zone}')`, `day >= ${dayOf(start)} AND day <= ${dayOf(end - 1)}`]
  return `SELECT device, metric, toInt64(toUnixTimestamp(${begin})) * 1000 AS at,
    toInt64(toUnixTimestamp(min_at)) * 1000 AS low_at, min_value AS low,
    toInt64(toUnixTimestamp(max_at)) * 1000 AS high_at, max_value AS high,
    bitAnd(quality, ${255 - DOUBTFUL_QUALITY}) AS quality
    FROM readings_${level} FINAL WHERE ${isOf(pairs)} AND good > 0 AND ${range}`
}

/** The least and the greatest value of each of maxPoints / 2 equal time spans, in order of time. */
async function readExtremes(
  rows: Rows,
  query: HistoryQuery,
  pairs: readonly Pair[],
  rolled: Rolled | undefined,
  zone: string,
  take: Take,
): Promise<void> {
  const raw = (from: string, to: string) => `${RAW_EXTREMES} WHERE ${isOf(pairs)} AND ${between(from, to)}`
  const source = rolled
    ? [raw('from', 'start'), rolledExtremes(rolled, pairs, zone), raw('end', 'to')].join('\nUNION ALL\n')
    : raw('from', 'to')
  const sql = `SELECT device, metric, argMin((low_at, low, quality), low), argMax((high_at, high, quality), high)
    FROM (${source})
    GROUP BY device, metric, intDiv(at - {from: Int64}, {spanMs: Int64}) AS span ORDER BY device, metric, span ${SETTINGS}`
  const edges = rolled ? { start: rolled.start, end: rolled.end } : {}
  const params = { from: query.from, to: query.to, spanMs: toSpanMs(query), ...edges }
  for await (const row of rows(sql, params)) {
    const [device, metric, least, greatest] = bucketRow.parse(row)
    const [first, second] = least[0] <= greatest[0] ? [least, greatest] : [greatest, least]
    take([device, metric], first)
    if (second[0] !== first[0]) take([device, metric], second)
  }
}

/**
 * Curves of every requested device and metric; without readings a curve has no points. `closedMs`: end of the rollups.
 * If the points are more than an hour apart, rollups are used: they have the same extremes.
 */
export async function readCurves(
  rows: Rows,
  query: HistoryQuery,
  closedMs: number | undefined,
  days: LocalDays,
): Promise<readonly Curve[]> {
  const pairs = query.deviceIds.flatMap((device) => query.metricIds.map((metric): Pair => [device, metric]))
  const rolled = findRolled(query, closedMs, days)
  const level = rolled?.level ?? 'raw'
  const points = new Map(pairs.map((pair): [string, Point[]] => [String(pair), []]))
  const take = (pair: Pair, point: Point): void => {
    points.get(String(pair))?.push(point)
  }
  if (!rolled) await readAllPoints(rows, query, pairs, take)
  const isLong = (pair: Pair): boolean => (points.get(String(pair))?.length ?? 0) > query.maxPoints
  const long = rolled ? pairs : pairs.filter(isLong)
  for (const pair of long) points.set(String(pair), [])
  if (long.length > 0) await readExtremes(rows, query, long, rolled, days.zone, take)
  const downsampled = new Set(long)
  return pairs.map((pair) => {
    const [deviceId, metricId] = pair
    return {
      deviceId,
      metricId,
      points: points.get(String(pair)) ?? [],
      downsampled: downsampled.has(pair),
      level,
    }
  })
}
