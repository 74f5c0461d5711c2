import { type MetricName, metrics } from '@isotherm/contract/metrics'
import { z } from 'zod'
import { type ClickHouseClient, streamRows } from '../../../platform/clickhouse/clickhouse.ch.ts'
import { toDeviceSet } from '../../history/index.ts'
import { type DayRange, toDate } from '../../meters/index.ts'

/** Means of devices in one span of days; the lists have one value per device. */
export interface SpanMeans {
  /** First day of the span. */
  readonly from: number
  readonly devices: readonly number[]
  readonly means: readonly number[]
  /** Days with trusted readings. */
  readonly days: readonly number[]
}

const MAX_SECONDS = 30
const settings = { max_query_size: String(64 << 20) }
const END = `SETTINGS do_not_merge_across_partitions_select_final = 1, max_execution_time = ${MAX_SECONDS}`

/** A hundred thousand numbers: validating each would take longer than reading them. */
const numbers = z.custom<readonly number[]>((list) => Array.isArray(list))
const meansRow = z.tuple([z.number(), numbers, numbers, numbers])
const listsRow = z.tuple([z.number(), z.array(numbers)])
const hoursRow = z.tuple([z.number(), numbers, numbers])

/** Index of the span that contains a day, for spans without gaps in ascending order. */
function toSpan(spans: readonly DayRange[]): string {
  if (spans.length === 1) return '0'
  const starts = spans.map(({ from }) => `toDate('${toDate(from)}')`)
  return `toUInt16(arrayCount(start -> start <= day, [${starts.join(',')}]) - 1)`
}

const isOf = (metric: MetricName, deviceIds: readonly number[], spans: readonly DayRange[]): string =>
  `metric = ${metrics[metric].id} AND day >= toDate('${toDate(spans[0]?.from ?? 0)}')
    AND day < toDate('${toDate(spans.at(-1)?.to ?? 0)}') AND device IN (${toDeviceSet(deviceIds)})`

/** Mean of each device in each span with trusted readings. The spans are ascending and have no gaps. */
export async function* readMeans(
  client: ClickHouseClient,
  metric: MetricName,
  deviceIds: readonly number[],
  spans: readonly DayRange[],
): AsyncGenerator<SpanMeans> {
  if (deviceIds.length === 0) return
  const query = `SELECT span, groupArray(device), groupArray(mean), groupArray(days) FROM (
      SELECT ${toSpan(spans)} AS span, device, round(sum(sum_value) / sum(good), 3) AS mean, toUInt32(count()) AS days
      FROM readings_day FINAL PREWHERE ${isOf(metric, deviceIds, spans)} WHERE good > 0 GROUP BY span, device)
    GROUP BY span ORDER BY span ${END}`
  for await (const given of streamRows(client, query, {}, settings)) {
    const [span, devices, means, days] = meansRow.parse(given)
    yield { from: spans[span]?.from ?? 0, devices, means, days }
  }
}

/** One list of values per figure, in the order of the devices. */
export interface SpanLists<Name extends string> {
  readonly from: number
  readonly devices: readonly number[]
  readonly lists: Readonly<Record<Name, readonly number[]>>
}

/**
 * Sums over the days of each device in each span. `sums`: an aggregate of `mean`, `low` and `high`, which are the mean and
 * the extremes of a day with trusted readings.
 */
export async function* readDaySums<Name extends string>(
  client: ClickHouseClient,
  {
    metric,
    deviceIds,
    spans,
  }: { metric: MetricName; deviceIds: readonly number[]; spans: readonly DayRange[] },
  sums: Readonly<Record<Name, string>>,
): AsyncGenerator<SpanLists<Name>> {
  if (deviceIds.length === 0) return
  const names = Object.keys(sums) as Name[]
  const query = `SELECT span, [groupArray(toFloat64(device)), ${names.map((name) => `groupArray(${name})`).join(', ')}] FROM (
      SELECT span, device, ${names.map((name) => `round(toFloat64(${sums[name]}), 3) AS ${name}`).join(', ')} FROM (
        SELECT ${toSpan(spans)} AS span, device, sum_value / good AS mean, min_value AS low, max_value AS high
        FROM readings_day FINAL PREWHERE ${isOf(metric, deviceIds, spans)} WHERE good > 0)
      GROUP BY span, device) GROUP BY span ORDER BY span ${END}`
  for await (const given of streamRows(client, query, {}, settings)) {
    const [span, [devices = [], ...values]] = listsRow.parse(given)
    const lists = Object.fromEntries(names.map((name, index) => [name, values[index] ?? []])) as Record<
      Name,
      readonly number[]
    >
    yield { from: spans[span]?.from ?? 0, devices, lists }
  }
}

/** Hours with a reading, by device, in each span. */
export async function* readHours(
  client: ClickHouseClient,
  metric: MetricName,
  deviceIds: readonly number[],
  spans: readonly DayRange[],
): AsyncGenerator<{
  readonly from: number
  readonly devices: readonly number[]
  readonly hours: readonly number[]
}> {
  if (deviceIds.length === 0) return
  const query = `SELECT span, groupArray(device), groupArray(toUInt32(total)) FROM (
      SELECT ${toSpan(spans)} AS span, device, sum(hours) AS total
      FROM readings_day FINAL PREWHERE ${isOf(metric, deviceIds, spans)} GROUP BY span, device)
    GROUP BY span ORDER BY span ${END}`
  for await (const given of streamRows(client, query, {}, settings)) {
    const [span, devices, hours] = hoursRow.parse(given)
    yield { from: spans[span]?.from ?? 0, devices, hours }
  }
}
