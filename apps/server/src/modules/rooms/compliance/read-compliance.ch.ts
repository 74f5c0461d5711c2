import { metrics } from '@isotherm/contract/metrics'
import type { RoomRules } from '@isotherm/contract/rooms/room-bands'
import { z } from 'zod'
import { type ClickHouseClient, streamRows } from '../../../platform/clickhouse/clickhouse.ch.ts'
import { readLists } from '../../../platform/clickhouse/read-lists.ch.ts'
import { toDeviceSet } from '../../history/index.ts'

/** How one room followed the rules. */
export interface RoomSums {
  readonly deviceId: number
  readonly meanC: number
  readonly hours: number
  readonly coldHours: number
  readonly degreeHours: number
  readonly days: number
  readonly coldDays: number
  /** Refund in days of the fee. */
  readonly refundDays: number
}

/** A day of the plant with its first and last instant, half open, Unix ms. */
export interface LocalDay {
  readonly date: string
  readonly from: number
  readonly to: number
}

export interface ComplianceQuery {
  readonly deviceIds: readonly number[]
  readonly days: readonly LocalDay[]
  readonly rules: RoomRules
  readonly zone: string
}

const ROOM = metrics['temp.room'].id
const END = 'SETTINGS do_not_merge_across_partitions_select_final = 1, max_execution_time = 30'
const dateRow = z.tuple([z.string()])

const toDates = (days: readonly LocalDay[]): string => days.map(({ date }) => `'${date}'`).join(', ')

/** Dates whose rollups are complete and have the hourly means of all rooms: not today, nor days of an older version. */
export async function findMeanDates(
  client: ClickHouseClient,
  days: readonly LocalDay[],
  zone: string,
): Promise<ReadonlySet<string>> {
  const query = `SELECT toString(day) FROM readings_day FINAL
    PREWHERE metric = ${ROOM} AND day IN (${toDates(days)})
    WHERE good > 0 AND day < (SELECT toDate(max(closed), {zone: String}) FROM rollup_marks FINAL WHERE zone = {zone: String})
    GROUP BY day HAVING countIf(empty(mean_hours)) = 0 ${END}`
  const found = new Set<string>()
  for await (const given of streamRows(client, query, { zone })) found.add(dateRow.parse(given)[0])
  return found
}

/** Share of a day's fee that is refunded for its mean: of the lowest step that the mean is below. */
function toRefund(refunds: RoomRules['refunds']): string {
  const steps = refunds.toSorted((left, right) => left.belowC - right.belowC)
  if (steps.length === 0) return '0'
  const cases = steps.map(({ belowC, percent }) => `mean_c < ${belowC}, ${percent / 100}`)
  return `multiIf(${cases.join(', ')}, 0)`
}

const isWholeDay = ({ fromHour, toHour }: RoomRules): boolean => fromHour === 0 && toHour === 24

/** Sums by room and day from the hourly means of days. */
function fromDays(days: readonly LocalDay[], { deviceIds, rules }: ComplianceQuery): string {
  const { coldC, fromHour, toHour } = rules
  const counted = isWholeDay(rules)
    ? 'hour_means'
    : `arrayFilter((c, h) -> h >= ${fromHour} AND h < ${toHour}, hour_means, mean_hours)`
  return `SELECT device, arrayAvg(counted) AS mean_c, length(counted) AS n, arrayCount(c -> c < ${coldC}, counted) AS cold,
      arraySum(c -> greatest(0, ${coldC} - c), counted) AS degrees
    FROM (SELECT device, ${counted} AS counted FROM readings_day FINAL
      PREWHERE metric = ${ROOM} AND day IN (${toDates(days)}) AND device IN (${toDeviceSet(deviceIds)})
      WHERE good > 0)
    WHERE n > 0`
}

/** The same from hours. The ends are those of the first and the last of the days. */
function fromHours(days: readonly LocalDay[], { deviceIds, rules }: ComplianceQuery): string {
  const { coldC, fromHour, toHour } = rules
  const hour = 'toHour(hour, {zone: String})'
  return `SELECT device, avg(c) AS mean_c, count() AS n, countIf(c < ${coldC}) AS cold, sum(greatest(0, ${coldC} - c)) AS degrees
    FROM (SELECT device, hour, toDate(hour, {zone: String}) AS day, sum_value / good AS c FROM readings_hour FINAL
      PREWHERE metric = ${ROOM} AND device IN (${toDeviceSet(deviceIds)})
        AND hour >= toDateTime({from: UInt32}, 'UTC') AND hour < toDateTime({to: UInt32}, 'UTC')
      WHERE good > 0)
    WHERE day IN (${toDates(days)}) ${isWholeDay(rules) ? '' : `AND ${hour} >= ${fromHour} AND ${hour} < ${toHour}`}
    GROUP BY device, day`
}

/**
 * Sums of rooms over the measured hours that the rules count. A day counts if at least half of its hours are measured.
 * `meanDates`: the dates that findMeanDates found.
 */
export async function readCompliance(
  client: ClickHouseClient,
  query: ComplianceQuery,
  meanDates: ReadonlySet<string>,
): Promise<readonly RoomSums[]> {
  const { deviceIds, days, rules, zone } = query
  if (deviceIds.length === 0) return []
  const { coldC, fromHour, toHour } = rules
  const minHours = Math.max(1, (toHour - fromHour) / 2)
  const columns = {
    deviceId: 'device',
    meanC: 'mean',
    hours: 'hours',
    coldHours: 'cold_hours',
    degreeHours: 'degree_hours',
    days: 'days',
    coldDays: 'cold_days',
    refundDays: 'refund_days',
  }
  const rolled = days.filter(({ date }) => meanDates.has(date))
  const others = days.filter(({ date }) => !meanDates.has(date))
  const parts = [
    ...(rolled.length > 0 ? [fromDays(rolled, query)] : []),
    ...(others.length > 0 ? [fromHours(others, query)] : []),
  ]
  const source = `(SELECT device, sum(mean_c * n) / sum(n) AS mean, toUInt32(sum(n)) AS hours, toUInt32(sum(cold)) AS cold_hours,
        sum(degrees) AS degree_hours, toUInt32(countIf(n >= ${minHours})) AS days,
        toUInt32(countIf(n >= ${minHours} AND mean_c < ${coldC})) AS cold_days,
        sumIf(toFloat64(${toRefund(rules.refunds)}), n >= ${minHours}) AS refund_days
      FROM (${parts.join(' UNION ALL ')})
      GROUP BY device) ${END}`
  const [first, last] = [others[0], others.at(-1)]
  const params = { zone, from: (first?.from ?? 0) / 1_000, to: (last?.to ?? 0) / 1_000 }
  const lists = await readLists(client, columns, source, params)
  return lists.deviceId.map((deviceId, at) => ({
    deviceId,
    meanC: lists.meanC[at] ?? 0,
    hours: lists.hours[at] ?? 0,
    coldHours: lists.coldHours[at] ?? 0,
    degreeHours: lists.degreeHours[at] ?? 0,
    days: lists.days[at] ?? 0,
    coldDays: lists.coldDays[at] ?? 0,
    refundDays: lists.refundDays[at] ?? 0,
  }))
}
