import { type MetricName, metrics } from '@isotherm/contract/metrics'
import { z } from 'zod'
import { type ClickHouseClient, createReadRows } from '../../../platform/clickhouse/clickhouse.ch.ts'
import { NOT_MEASURED } from './readings.ch.ts'

const MAX_SECONDS = 20

const row = z.tuple([z.number(), z.coerce.number()])

/** Instant of the newest measured reading of each device in a time range, Unix ms; absent without one. */
export async function readNewestAt(
  client: ClickHouseClient,
  deviceIds: readonly number[],
  metric: MetricName,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<ReadonlyMap<number, number>> {
  if (deviceIds.length === 0) return new Map()
  const query = `SELECT device, toUnixTimestamp64Milli(max(ts)) FROM readings FINAL
    WHERE device IN (${deviceIds.join(',')}) AND metric = ${metrics[metric].id}
      AND ts >= fromUnixTimestamp64Milli({from: Int64}) AND ts <= fromUnixTimestamp64Milli({to: Int64})
      AND bitAnd(quality, ${NOT_MEASURED}) = 0
    GROUP BY device SETTINGS do_not_merge_across_partitions_select_final = 1`
  return new Map(await createReadRows(client, MAX_SECONDS)(row, query, { from: Math.floor(from), to }))
}
