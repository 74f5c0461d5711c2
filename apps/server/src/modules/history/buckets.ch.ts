import { z } from 'zod'
import {
  type Calendar,
  dayOfParam,
  isCounted,
  SUMMARY,
  SUMMED_READINGS,
  toBucketDay,
  toDayMs,
} from './bucket-sql.ch.ts'
import type { BucketQuery, Buckets } from './history-store.ts'
import type { LocalDays } from './local-time.ts'
import type { Rows } from './rows.ch.ts'

const SETTINGS = 'SETTINGS do_not_merge_across_partitions_select_final = 1, max_execution_time = 20'

const numbers = z.array(z.coerce.number())
const values = z.array(z.number())
const row = z.tuple([
  z.number(),
  z.number(),
  numbers,
  numbers,
  numbers,
  values,
  values,
  values,
  values,
  values,
])

/** A bucket of none but doubtful readings has no values. */
const withoutDoubtful = (column: readonly number[], good: readonly number[]): (number | null)[] =>
  column.map((value, index) => (good[index] === 0 ? null : value))

const isOf = ({ deviceIds, metricIds }: BucketQuery): string =>
  `device IN (${deviceIds.join(',')}) AND metric IN (${metricIds.join(',')})`

const HOUR_MS = 3_600_000

/** Hours that are made, and the readings since; both ends are the buckets' beginnings. */
function toHourSource(query: BucketQuery, calendar: Calendar): string {
  const instant = (name: string) => `fromUnixTimestamp64Milli({${name}: Int64})`
  return `SELECT device, metric, hour AS began, toInt64(toUnixTimestamp(hour)) * 1000 AS bucket, ${SUMMARY}
    FROM readings_hour FINAL
    WHERE ${isOf(query)} AND day >= ${dayOfParam('from', calendar)} AND day <= ${dayOfParam('to', calendar)}
      AND hour >= ${instant('from')} AND hour < ${instant('made')}
    UNION ALL
    SELECT device, metric, toStartOfHour(ts) AS began, toInt64(toUnixTimestamp(began)) * 1000 AS bucket, ${SUMMED_READINGS}
    FROM readings FINAL
    WHERE ${isOf(query)} AND ts >= ${instant('open')} AND ts < ${instant('end')} GROUP BY device, metric, began`
}

/** Days as far as their hours are made, and the readings since. */
function toDaySource(
  query: BucketQuery,
  level: Exclude<BucketQuery['level'], 'hour'>,
  calendar: Calendar,
): string {
  const bucket = toDayMs(toBucketDay(level, calendar), calendar)
  const days = `day >= ${dayOfParam('from', calendar)} AND day <= ${dayOfParam('last', calendar)}`
  return `SELECT device, metric, toDateTime(day, '${calendar.zone}') AS began, ${bucket} AS bucket, ${SUMMARY}
    FROM readings_day FINAL WHERE ${isOf(query)} AND ${days} AND ${isCounted(level, calendar)}
    UNION ALL
    SELECT device, metric, open_hour AS began, ${bucket} AS bucket, ${SUMMARY} FROM (
      SELECT device, metric, toStartOfHour(ts) AS open_hour, toDate(open_hour, '${calendar.zone}') AS day, ${SUMMED_READINGS}
      FROM readings FINAL
      WHERE ${isOf(query)} AND ts >= fromUnixTimestamp64Milli({open: Int64}) AND ts < fromUnixTimestamp64Milli({end: Int64})
      GROUP BY device, metric, open_hour)
    WHERE ${isCounted(level, calendar)}`
}

/**
 * Buckets of every device and metric that has any, from the rollups as far as they are made and from the readings
 * since. On the levels of days it is the days that begin from `from` on and before `to` that make up a bucket.
 */
export async function readBuckets(
  rows: Rows,
  query: BucketQuery,
  closedMs: number | undefined,
  days: LocalDays,
  calendar: Calendar,
): Promise<readonly Buckets[]> {
  const { level, from, to } = query
  const closed = closedMs ?? 0
  // The first bucket that begins in the range, and the end of the last that does.
  const [begin, end] =
    level === 'hour'
      ? [Math.ceil(from / HOUR_MS) * HOUR_MS, Math.ceil(to / HOUR_MS) * HOUR_MS]
      : [days.startOfNextDay(from - 1), days.startOfNextDay(to - 1)]
  if (end <= begin) return []
  const source = level === 'hour' ? toHourSource(query, calendar) : toDaySource(query, level, calendar)
  const sql = `SELECT device, metric, groupArray(bucket), groupArray(readings), groupArray(right),
      groupArray(mean), groupArray(least), groupArray(most), groupArray(early), groupArray(late)
    FROM (
      SELECT device, metric, bucket, sum(total) AS readings, sum(good) AS right,
        sum(sum_value) / greatest(right, 1) AS mean, minIf(min_value, good > 0) AS least,
        maxIf(max_value, good > 0) AS most, argMinIf(first_value, began, good > 0) AS early,
        argMaxIf(last_value, began, good > 0) AS late
      FROM (${source}) GROUP BY device, metric, bucket ORDER BY device, metric, bucket)
    GROUP BY device, metric ORDER BY device, metric ${SETTINGS}`
  const params = {
    from: begin,
    to,
    last: end - 1,
    end,
    made: Math.min(end, closed),
    open: Math.max(begin, closed),
  }
  const found: Buckets[] = []
  for await (const each of rows(sql, params)) {
    const [deviceId, metricId, start, total, good, ...columns] = row.parse(each)
    const [avg, min, max, first, last] = columns.map((column) => withoutDoubtful(column, good))
    if (avg && min && max && first && last)
      found.push({ deviceId, metricId, start, total, good, avg, min, max, first, last })
  }
  return found
}
