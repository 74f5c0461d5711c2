import { z } from 'zod'
import type { Curve, HistoryQuery } from './store.ts'

type Rows = (query: string, params: Record<string, unknown>) => AsyncGenerator<unknown>

const countRow = z.tuple([z.number(), z.number(), z.coerce.number()])
const pointRow = z.tuple([z.number(), z.number(), z.coerce.number(), z.number(), z.number()])
const bucketPoint = z.tuple([z.coerce.number(), z.number(), z.number()])
const bucketRow = z.tuple([z.number(), z.number(), bucketPoint, bucketPoint])

type Pair = readonly [device: number, metric: number]

const WHERE = `ts >= fromUnixTimestamp64Milli({from: Int64}) AND ts < fromUnixTimestamp64Milli({to: Int64})`
const listPairs = (pairs: readonly Pair[]): string => pairs.map(([d, m]) => `(${d},${m})`).join(',')

/** The folding of equal rows stays within a month, so that a query over many months runs month by month. */
const SETTINGS = 'SETTINGS do_not_merge_across_partitions_select_final = 1, max_execution_time = 20'

async function count(rows: Rows, query: HistoryQuery, pairs: readonly Pair[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const sql = `SELECT device, metric, count() FROM readings FINAL
    WHERE (device, metric) IN (${listPairs(pairs)}) AND ${WHERE} GROUP BY device, metric ${SETTINGS}`
  for await (const row of rows(sql, { from: query.from, to: query.to })) {
    const [device, metric, found] = countRow.parse(row)
    counts.set(`${device}:${metric}`, found)
  }
  return counts
}

async function readAllPoints(
  rows: Rows,
  query: HistoryQuery,
  pairs: readonly Pair[],
  take: (pair: Pair, point: [number, number, number]) => void,
): Promise<void> {
  const sql = `SELECT device, metric, toUnixTimestamp64Milli(ts), value, quality FROM readings FINAL
    WHERE (device, metric) IN (${listPairs(pairs)}) AND ${WHERE} ORDER BY device, metric, ts ${SETTINGS}`
  for await (const row of rows(sql, { from: query.from, to: query.to })) {
    const [device, metric, ts, value, quality] = pointRow.parse(row)
    take([device, metric], [ts, value, quality])
  }
}

/** Least and greatest value of each of maxPoints / 2 equal spans of time, in the order they happened. */
async function readExtremes(
  rows: Rows,
  query: HistoryQuery,
  pairs: readonly Pair[],
  take: (pair: Pair, point: [number, number, number]) => void,
): Promise<void> {
  const spanMs = Math.max(1, Math.ceil((query.to - query.from) / Math.floor(query.maxPoints / 2)))
  const at = 'toUnixTimestamp64Milli(ts)'
  const sql = `SELECT device, metric, argMin((${at}, value, quality), value), argMax((${at}, value, quality), value)
    FROM readings FINAL WHERE (device, metric) IN (${listPairs(pairs)}) AND ${WHERE}
    GROUP BY device, metric, intDiv(${at} - {from: Int64}, {spanMs: Int64}) AS span ORDER BY device, metric, span ${SETTINGS}`
  for await (const row of rows(sql, { from: query.from, to: query.to, spanMs })) {
    const [device, metric, least, greatest] = bucketRow.parse(row)
    const [first, second] = least[0] <= greatest[0] ? [least, greatest] : [greatest, least]
    take([device, metric], first)
    if (second[0] !== first[0]) take([device, metric], second)
  }
}

/** Curves of every device and metric asked for; one without readings has no points. */
export async function readHistory(rows: Rows, query: HistoryQuery): Promise<readonly Curve[]> {
  const pairs = query.deviceIds.flatMap((device) => query.metricIds.map((metric): Pair => [device, metric]))
  const counts = await count(rows, query, pairs)
  const countOf = ([device, metric]: Pair): number => counts.get(`${device}:${metric}`) ?? 0
  const isLong = (pair: Pair): boolean => countOf(pair) > query.maxPoints
  const curves = new Map<string, Curve>()
  for (const pair of pairs) {
    const [deviceId, metricId] = pair
    curves.set(String(pair), { deviceId, metricId, points: [], downsampled: isLong(pair) })
  }
  const take = (pair: Pair, point: [number, number, number]): void => {
    curves.get(String(pair))?.points.push(point)
  }
  const short = pairs.filter((pair) => countOf(pair) > 0 && !isLong(pair))
  const long = pairs.filter(isLong)
  await Promise.all([
    short.length > 0 ? readAllPoints(rows, query, short, take) : undefined,
    long.length > 0 ? readExtremes(rows, query, long, take) : undefined,
  ])
  return [...curves.values()]
}
