import { findMetricById, type MetricName, metrics } from '@isotherm/contract/metrics'
import { z } from 'zod'
import { type ClickHouseClient, createReadRows } from '../../../platform/clickhouse/clickhouse.ch.ts'

/** A half-open range of time, Unix ms. */
export interface HourRange {
  readonly from: number
  readonly to: number
}

/** Trusted readings of one hour. */
export interface HourValue {
  readonly mean: number
  readonly last: number
}

/** Values of a device and metric by the start of the hour, Unix ms. */
export type HourValues = (deviceId: number, metric: MetricName) => ReadonlyMap<number, HourValue> | undefined

const MAX_SECONDS = 20

/** A season of one station is thousands of numbers. Validating each with zod would take longer than reading them. */
const numbers = z.custom<readonly number[]>(
  (list) => Array.isArray(list) && list.every((value) => typeof value === 'number'),
)
const row = z.tuple([z.number(), z.number(), numbers, numbers, numbers])

/** Reads hourly rollups of devices in several ranges. */
export async function readHours(
  client: ClickHouseClient,
  deviceIds: readonly number[],
  names: readonly MetricName[],
  ranges: readonly HourRange[],
): Promise<HourValues> {
  const params = Object.fromEntries(
    ranges.flatMap(({ from, to }, index) => [
      [`from${index}`, Math.floor(from / 1000)],
      [`to${index}`, Math.floor(to / 1000)],
    ]),
  )
  const isInRange = ranges
    .map(
      (_, index) =>
        `hour >= toDateTime({from${index}: Int64}, 'UTC') AND hour < toDateTime({to${index}: Int64}, 'UTC')`,
    )
    .map((range) => `(${range})`)
    .join(' OR ')
  const query = `SELECT device, metric, groupArray(toUnixTimestamp(hour)), groupArray(sum_value / good), groupArray(last_value)
    FROM readings_hour FINAL
    PREWHERE device IN (${deviceIds.join(',')}) AND metric IN (${names.map((name) => metrics[name].id).join(',')})
      AND (${isInRange})
    WHERE good > 0 GROUP BY device, metric SETTINGS do_not_merge_across_partitions_select_final = 1`
  const rows = await createReadRows(client, MAX_SECONDS)(row, query, params)
  const found = new Map(
    rows.map(([deviceId, metricId, hours, means, lasts]) => [
      `${deviceId} ${findMetricById(metricId)}`,
      new Map(
        hours.map((hourS, at) => [
          hourS * 1000,
          { mean: means[at] ?? Number.NaN, last: lasts[at] ?? Number.NaN },
        ]),
      ),
    ]),
  )
  return (deviceId, metric) => found.get(`${deviceId} ${metric}`)
}
