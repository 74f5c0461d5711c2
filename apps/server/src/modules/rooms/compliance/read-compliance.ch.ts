import { metrics } from '@isotherm/contract/metrics'
import type { RoomRules } from '@isotherm/contract/rooms/room-bands'
import type { ClickHouseClient } from '../../../platform/clickhouse/clickhouse.ch.ts'
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

export interface ComplianceQuery {
  readonly deviceIds: readonly number[]
  /** First and last instant, half open, Unix ms. */
  readonly from: number
  readonly to: number
  readonly rules: RoomRules
  readonly zone: string
}

const MAX_SECONDS = 30

/** Share of a day's fee that is refunded for its mean: of the lowest step that the mean is below. */
function toRefund(refunds: RoomRules['refunds']): string {
  const steps = refunds.toSorted((left, right) => left.belowC - right.belowC)
  if (steps.length === 0) return '0'
  const cases = steps.map(({ belowC, percent }) => `mean_c < ${belowC}, ${percent / 100}`)
  return `multiIf(${cases.join(', ')}, 0)`
}

/**
 * Sums of rooms over the measured hours that the rules count. A day counts if at least half of its hours are measured.
 */
export async function readCompliance(
  client: ClickHouseClient,
  { deviceIds, from, to, rules, zone }: ComplianceQuery,
): Promise<readonly RoomSums[]> {
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
  const source = `(SELECT device, sum(mean_c * n) / sum(n) AS mean, toUInt32(sum(n)) AS hours, toUInt32(sum(cold)) AS cold_hours,
        sum(degrees) AS degree_hours, toUInt32(countIf(n >= ${minHours})) AS days,
        toUInt32(countIf(n >= ${minHours} AND mean_c < ${coldC})) AS cold_days,
        sumIf(toFloat64(${toRefund(rules.refunds)}), n >= ${minHours}) AS refund_days
      FROM (SELECT device, toDate(hour, {zone: String}) AS day, avg(c) AS mean_c, count() AS n, countIf(c < ${coldC}) AS cold,
          sum(greatest(0, ${coldC} - c)) AS degrees
        FROM (SELECT device, hour, sum_value / good AS c FROM readings_hour FINAL
          PREWHERE metric = ${metrics['temp.room'].id} AND device IN (${toDeviceSet(deviceIds)})
            AND hour >= toDateTime({from: UInt32}, 'UTC') AND hour < toDateTime({to: UInt32}, 'UTC')
          WHERE good > 0)
        WHERE toHour(hour, {zone: String}) >= ${fromHour} AND toHour(hour, {zone: String}) < ${toHour}
        GROUP BY device, day)
      GROUP BY device)
    SETTINGS do_not_merge_across_partitions_select_final = 1, max_execution_time = ${MAX_SECONDS}`
  const params = { zone, from: from / 1_000, to: to / 1_000 }
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
