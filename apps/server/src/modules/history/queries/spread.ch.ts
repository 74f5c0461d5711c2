import type { Spread } from '@isotherm/contract/endpoints/monitoring/history'
import { z } from 'zod'
import { type Calendar, dayOfParam, isCounted, toBucketDay, toDayMs } from '../calendar/calendar-sql.ch.ts'
import type { LocalDays } from '../calendar/local-days.ts'
import { toDeviceSet } from './device-set.ch.ts'
import type { SpreadQuery } from './history-queries.ts'
import type { Rows } from './rows.ch.ts'

const number = z.coerce.number()
const row = z.tuple([number, number, number, number, number, z.array(number).length(5)])

/** Mean of each device in each bucket. */
const toMeans = (rows: string, bucket: string, isOneRow: boolean): string =>
  isOneRow
    ? `SELECT ${bucket} AS start_day, sum_value / good AS v FROM (${rows})`
    : `SELECT ${bucket} AS start_day, sum(sum_value) / sum(good) AS v FROM (${rows}) GROUP BY device, start_day`

/** Start of the bucket after `start_day`. A season has no direct successor. */
const afterBucket = {
  day: 'start_day + 1',
  month: 'addMonths(start_day, 1)',
  season: 'start_day',
} as const

/**
 * Increase of each device's counter in each bucket: from its first value to the first value of the next bucket, so that
 * nothing in between is lost, or to its own last value if the next bucket has none. A counter that fell was replaced or
 * reset and is left out.
 */
const toCounted = (rows: string, bucket: string, level: SpreadQuery['level']): string => `
  SELECT start_day, if(next_day > start_day AND next_day <= ${afterBucket[level]}, next_first, late) - early AS v FROM (
    SELECT start_day, early, late, leadInFrame(early) OVER ahead AS next_first, leadInFrame(start_day) OVER ahead AS next_day
    FROM (
      SELECT device, ${bucket} AS start_day, argMin(first_value, day) AS early, argMax(last_value, day) AS late
      FROM (${rows}) GROUP BY device, start_day)
    WINDOW ahead AS (PARTITION BY device ORDER BY start_day ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING))
  WHERE v >= 0`

/** Spread per bucket over the days that start in the range, as far as rollups are built. */
export async function readSpread(
  rows: Rows,
  query: SpreadQuery,
  days: LocalDays,
  calendar: Calendar,
): Promise<readonly Spread[]> {
  const { level, deviceIds, isCounter, metricId } = query
  const [begin, end] = [days.startOfNextDay(query.from - 1), days.startOfNextDay(query.to - 1)]
  if (end <= begin || deviceIds?.length === 0) return []
  const bucket = toBucketDay(level, calendar)
  const source = `SELECT device, day, good, sum_value, first_value, last_value FROM readings_day FINAL
    WHERE metric = ${metricId} AND day >= ${dayOfParam('from', calendar)} AND day <= ${dayOfParam('last', calendar)}
      AND good > 0 AND ${isCounted(level, calendar)}
      ${deviceIds ? `AND device IN (${toDeviceSet(deviceIds)})` : ''}`
  const each = isCounter ? toCounted(source, bucket, level) : toMeans(source, bucket, level === 'day')
  const sql = `SELECT ${toDayMs('start_day', calendar)}, count(), avg(v), min(v), max(v), quantilesExact(0.1, 0.25, 0.5, 0.75, 0.9)(v)
    FROM (${each}) GROUP BY start_day ORDER BY start_day
    SETTINGS do_not_merge_across_partitions_select_final = 1, max_execution_time = 30`
  const found: Spread[] = []
  for await (const given of rows(sql, { from: begin, last: end - 1 })) {
    const [start, devices, mean, min, max, quantiles] = row.parse(given)
    const [p10 = mean, p25 = mean, p50 = mean, p75 = mean, p90 = mean] = quantiles
    found.push({ start, devices, mean, min, p10, p25, p50, p75, p90, max })
  }
  return found
}
