import type { BucketColumn } from '@isotherm/contract/endpoints/monitoring/history'
import { DOUBTFUL_QUALITY } from '@isotherm/contract/metrics'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { z } from 'zod'
import { type Calendar, dayOfParam, isCounted, toBucketDay } from '../calendar/calendar-sql.ch.ts'
import type { LocalDays } from '../calendar/local-days.ts'
import type { BucketQuery, Buckets } from './history-queries.ts'
import type { Rows } from './rows.ch.ts'

const SETTINGS = 'SETTINGS do_not_merge_across_partitions_select_final = 1, max_execution_time = 20'

/**
 * Hours of a week of 500 devices are half a million numbers. Validating each with zod would take longer than reading
 * them.
 */
const numbers = z.custom<readonly number[]>(
  (list) => Array.isArray(list) && list.every((value) => typeof value === 'number'),
)
const row = z.tuple([z.number(), z.number(), numbers, numbers]).rest(numbers)

interface Merged {
  readonly needs: string
  /** Expression over all parts of a bucket. */
  readonly from: string
  /** Expression for a bucket with only one part. */
  readonly only: string
}

/** A mean with six decimals. More are below the accuracy of sensors and would double the size of an answer. */
const toMean = (sum: string, count: string): string => `round(${sum} / greatest(${count}, 1), 6)`

/** How a column is computed from the parts of a bucket. `needs`: the column it uses besides `good`. */
const merged: Readonly<Record<BucketColumn, Merged>> = {
  total: { needs: 'total', from: 'toUInt32(sum(total))', only: 'total' },
  good: { needs: 'good', from: 'toUInt32(sum(good))', only: 'good' },
  avg: {
    needs: 'sum_value',
    from: toMean('sum(sum_value)', 'sum(good)'),
    only: toMean('sum_value', 'good'),
  },
  min: { needs: 'min_value', from: 'minIf(min_value, good > 0)', only: 'min_value' },
  max: { needs: 'max_value', from: 'maxIf(max_value, good > 0)', only: 'max_value' },
  first: { needs: 'first_value', from: 'argMinIf(first_value, began, good > 0)', only: 'first_value' },
  last: { needs: 'last_value', from: 'argMaxIf(last_value, began, good > 0)', only: 'last_value' },
}

const isGood = `bitAnd(quality, ${DOUBTFUL_QUALITY}) = 0`

/** The columns of the rollups, computed from readings. */
const summed: Readonly<Record<string, string>> = {
  total: 'toUInt32(count())',
  good: `toUInt32(countIf(${isGood}))`,
  sum_value: `sumIf(value, ${isGood})`,
  min_value: `minIf(value, ${isGood})`,
  max_value: `maxIf(value, ${isGood})`,
  first_value: `argMinIf(value, ts, ${isGood})`,
  last_value: `argMaxIf(value, ts, ${isGood})`,
}

/** SQL expressions for the buckets. */
interface Spans {
  /** Start of the bucket, Unix s, from `hour` and `day`, which every source has. */
  readonly bucket: string
  readonly isCounted: string
}

const isOf = ({ deviceIds, metricIds }: BucketQuery): string =>
  `device IN (${deviceIds.join(',')}) AND metric IN (${metricIds.join(',')})`

const instant = (name: string): string => `fromUnixTimestamp64Milli({${name}: Int64})`
/** Type DateTime, like the column `hour`: that makes the comparison with the index cheaper. */
const second = (name: string): string => `toDateTime(intDiv({${name}: Int64}, 1000), 'UTC')`

/**
 * The rows of a bucket from up to three sources, each for its part of the range. The key columns are read first,
 * because most rows in the blocks of 500 devices are of other hours, and their values need not be read. The newest
 * version of an hour is found by sorting; FINAL would merge whole blocks and take twice as long.
 */
function toSources(
  query: BucketQuery,
  needs: readonly string[],
  ends: { readonly begin: number; readonly days: number; readonly hours: number; readonly end: number },
  spans: Spans,
  calendar: Calendar,
): readonly string[] {
  const columns = needs.join(', ')
  const dayOfHour = `toDate(hour, '${calendar.zone}') AS day`
  const days = `SELECT device, metric, toDateTime(day, '${calendar.zone}') AS began, ${spans.bucket} AS bucket, ${columns}
    FROM readings_day FINAL PREWHERE ${isOf(query)} AND ${spans.isCounted}
      AND day >= ${dayOfParam('begin', calendar)} AND day < ${dayOfParam('days', calendar)}`
  const hours = `SELECT device, metric, hour AS began, ${dayOfHour}, ${spans.bucket} AS bucket, ${columns}
    FROM readings_hour PREWHERE ${isOf(query)} AND hour >= ${second('days')} AND hour < ${second('hours')}
    ORDER BY device, metric, began, version DESC LIMIT 1 BY device, metric, began`
  const readings = `SELECT device, metric, toStartOfHour(ts) AS hour, hour AS began, ${dayOfHour}, ${spans.bucket} AS bucket,
      ${needs.map((need) => `${summed[need]} AS ${need}`).join(', ')}
    FROM readings FINAL PREWHERE ${isOf(query)} AND ts >= ${instant('hours')} AND ts < ${instant('end')}
    GROUP BY device, metric, hour`
  const counted = (source: string) =>
    `SELECT device, metric, began, bucket, ${columns} FROM (${source}) WHERE ${spans.isCounted}`
  return [
    ...(ends.days > ends.begin ? [days] : []),
    ...(ends.hours > ends.days ? [counted(hours)] : []),
    ...(ends.end > ends.hours ? [counted(readings)] : []),
  ]
}

/** Buckets as sorted arrays. If each bucket has only one part, there is no merging. */
function toQuery(columns: readonly BucketColumn[], sources: readonly string[], isOnePart: boolean): string {
  const lists = columns.map((_, index) => `, groupArray(c${index})`).join('')
  const each = (from: (column: BucketColumn) => string) =>
    columns.map((column, index) => `, ${from(column)} AS c${index}`).join('')
  const parts = `(${sources.join('\n UNION ALL ')})`
  const rows = isOnePart
    ? `SELECT device, metric, bucket, good AS right${each((column) => merged[column].only)} FROM ${parts}`
    : `SELECT device, metric, bucket, toUInt32(sum(good)) AS right${each((column) => merged[column].from)}
      FROM ${parts} GROUP BY device, metric, bucket`
  return `SELECT device, metric, groupArray(bucket), groupArray(right)${lists}
    FROM (${rows} ORDER BY device, metric, bucket) GROUP BY device, metric ORDER BY device, metric ${SETTINGS}`
}

const limit = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max)

/**
 * Buckets of each device and metric with readings: from the rollups as far as they are built, and from readings after
 * that. On levels above hours a bucket consists of the days that start in the range.
 */
export async function readBuckets(
  rows: Rows,
  query: BucketQuery,
  closedMs: number | undefined,
  days: LocalDays,
  calendar: Calendar,
): Promise<readonly Buckets[]> {
  const { level, from, to, columns } = query
  const isHours = level === 'hour'
  // Start of the first bucket that starts in the range, and end of the last one.
  const begin = isHours ? Math.ceil(from / HOUR_MS) * HOUR_MS : days.startOfNextDay(from - 1)
  const end = isHours ? Math.ceil(to / HOUR_MS) * HOUR_MS : days.startOfNextDay(to - 1)
  if (end <= begin) return []
  const hoursEnd = limit(closedMs ?? 0, begin, end)
  const daysEnd = isHours ? begin : limit(days.startOfDay(closedMs ?? 0), begin, end)
  const ends = { begin, days: daysEnd, hours: hoursEnd, end }
  const spans = {
    bucket: `toUnixTimestamp(${isHours ? 'hour' : `toDateTime(${toBucketDay(level, calendar)}, '${calendar.zone}')`})`,
    isCounted: isCounted(level, calendar),
  }
  const needs = [...new Set(['good', ...columns.map((column) => merged[column].needs)])]
  const sources = toSources(query, needs, ends, spans, calendar)
  const sql = toQuery(columns, sources, level === 'hour' && sources.length === 1)
  const found: Buckets[] = []
  for await (const each of rows(sql, { ...ends })) {
    const [deviceId, metricId, startS, good, ...lists] = row.parse(each)
    const named = columns.map((column, index) => {
      const list = lists[index] ?? []
      if (column === 'total' || column === 'good') return [column, list]
      // A bucket with only doubtful readings has no values.
      return [column, list.map((value, at) => (good[at] === 0 ? null : value))]
    })
    found.push({ deviceId, metricId, start: startS.map((s) => s * 1000), ...Object.fromEntries(named) })
  }
  return found
}
