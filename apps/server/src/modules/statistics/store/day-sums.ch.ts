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
const totalsRow = z.tuple([z.number(), z.coerce.number(), numbers])

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

/**
 * Values of a device's day, as expressions of `mean`, `low` and `high` of its trusted readings, and of the `hours` that have
 * a reading.
 */
export type DayValues<Name extends string> = Readonly<Record<Name, string>>

export interface DayQuery {
  readonly metric: MetricName
  readonly deviceIds: readonly number[]
  /** Ascending, without gaps. */
  readonly spans: readonly DayRange[]
  /** Days without trusted readings count too; they have hours only. */
  readonly includesUntrusted?: boolean
}

/** One list of sums per name, in the order of the devices. */
export interface SpanLists<Name extends string> {
  readonly from: number
  readonly devices: readonly number[]
  readonly lists: Readonly<Record<Name, readonly number[]>>
}

/** SQL of the values of the days of a query, and the span of each. */
const selectDays = ({ metric, deviceIds, spans, includesUntrusted }: DayQuery): string =>
  `SELECT ${toSpan(spans)} AS span, device, hours, sum_value / good AS mean, min_value AS low, max_value AS high
    FROM readings_day FINAL PREWHERE ${isOf(metric, deviceIds, spans)} ${includesUntrusted ? '' : 'WHERE good > 0'}`

/** Sums of the values of days, for each device in each span with such days. */
export async function* readDaySums<Name extends string>(
  client: ClickHouseClient,
  days: DayQuery,
  values: DayValues<Name>,
): AsyncGenerator<SpanLists<Name>> {
  const { deviceIds, spans } = days
  if (deviceIds.length === 0) return
  const names = Object.keys(values) as Name[]
  const query = `SELECT span, [groupArray(toFloat64(device)), ${names.map((name) => `groupArray(${name})`).join(', ')}] FROM (
      SELECT span, device, ${names.map((name) => `round(toFloat64(sum(${values[name]})), 3) AS ${name}`).join(', ')}
      FROM (${selectDays(days)}) GROUP BY span, device) GROUP BY span ORDER BY span ${END}`
  for await (const given of streamRows(client, query, {}, settings)) {
    const [span, [devices = [], ...sums]] = listsRow.parse(given)
    const lists = Object.fromEntries(names.map((name, index) => [name, sums[index] ?? []])) as Record<
      Name,
      readonly number[]
    >
    yield { from: spans[span]?.from ?? 0, devices, lists }
  }
}

/**
 * So many spans are read at once: a device has its sums for all of them in one row, because a row for each device and span
 * takes twice the time.
 */
const SPANS_AT_ONCE = 12

export interface TotalsQuery<Name extends string, Total extends string> extends DayQuery {
  readonly values: DayValues<Name>
  /** Aggregates of the sums of devices, by name. They may use `given`. */
  readonly totals: Readonly<Record<Total, string>>
  /** A number for each span. */
  readonly given?: readonly number[]
}

/** Totals of the devices with a reading in a span. */
export interface SpanTotals<Total extends string> {
  readonly from: number
  readonly devices: number
  readonly totals: Readonly<Record<Total, number>>
}

/** Totals over devices of the sums of their days in each span. A span without readings is left out. */
export async function* readDayTotals<Name extends string, Total extends string>(
  client: ClickHouseClient,
  { values, totals, given = [], ...days }: TotalsQuery<Name, Total>,
): AsyncGenerator<SpanTotals<Total>> {
  const { deviceIds, spans } = days
  const names = Object.keys(values) as Name[]
  const totalNames = Object.keys(totals) as Total[]
  for (let first = 0; first < spans.length && deviceIds.length > 0; first += SPANS_AT_ONCE) {
    const read = spans.slice(first, first + SPANS_AT_ONCE)
    const sumBySpan = (value: string) =>
      `[${read.map((_, at) => `sumIf(${value}, span = ${at})`).join(', ')}]`
    const lists = ['1', ...names.map((name) => values[name])].map(
      (value, at) => `${sumBySpan(value)} AS list${at}`,
    )
    const joined = ['measured_days', ...names].map((name, at) => `list${at} AS ${name}`)
    const query = `SELECT span, count(), [${totalNames.map((name) => `toFloat64(${totals[name]})`).join(', ')}] FROM (
        SELECT device, ${lists.join(', ')} FROM (${selectDays({ ...days, spans: read })}) GROUP BY device)
      ARRAY JOIN ${joined.join(', ')}, range(${read.length}) AS span, [${read.map((_, at) => given[first + at] ?? 0).join(', ')}] AS given
      WHERE measured_days > 0 GROUP BY span ORDER BY span ${END}`
    for await (const row of streamRows(client, query, {}, settings)) {
      const [span, devices, found] = totalsRow.parse(row)
      yield {
        from: read[span]?.from ?? 0,
        devices,
        totals: Object.fromEntries(totalNames.map((name, at) => [name, found[at] ?? Number.NaN])) as Record<
          Total,
          number
        >,
      }
    }
  }
}
