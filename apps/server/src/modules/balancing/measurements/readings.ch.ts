import {
  DOUBTFUL_QUALITY,
  findMetricById,
  type MetricName,
  metrics,
  quality,
} from '@isotherm/contract/metrics'
import { z } from 'zod'
import { type ClickHouseClient, createReadRows } from '../../../platform/clickhouse/clickhouse.ch.ts'

/** Readings of one device and metric, oldest first: Unix ms and values in the metric's unit. */
export interface ReadSeries {
  readonly ts: readonly number[]
  readonly value: readonly number[]
}

/** Series by device and metric; empty without trusted readings. */
export type Readings = (deviceId: number, metric: MetricName) => ReadSeries

/** Quality bits of values that a plan does not use, because they are not trusted measurements. */
export const NOT_MEASURED = DOUBTFUL_QUALITY | quality.stale | quality.substituted | quality.maintenance
/**
 * Maximum number of readings of a series; of more, the newest count. A device that reports every five seconds has 5,760 in
 * eight hours.
 */
const MAX_OF_SERIES = 240
/** Longest time of the query, s. */
const MAX_SECONDS = 20

const row = z.tuple([z.number(), z.number(), z.array(z.coerce.number()), z.array(z.number())])
const none: ReadSeries = { ts: [], value: [] }
const toKey = (deviceId: number, metric: MetricName): string => `${deviceId} ${metric}`

/** Trusted readings of devices later than `from` and up to `to`, Unix ms, in one query. */
export async function readReadings(
  client: ClickHouseClient,
  deviceIds: readonly number[],
  names: readonly MetricName[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Readings> {
  if (deviceIds.length === 0) return () => none
  const query = `SELECT device, metric, groupArray(at), groupArray(shown) FROM (
      SELECT device, metric, toUnixTimestamp64Milli(ts) AS at, value AS shown FROM readings FINAL
      WHERE device IN (${deviceIds.join(',')}) AND metric IN (${names.map((name) => metrics[name].id).join(',')})
        AND ts > fromUnixTimestamp64Milli({from: Int64}) AND ts <= fromUnixTimestamp64Milli({to: Int64})
        AND bitAnd(quality, ${NOT_MEASURED}) = 0
      ORDER BY device, metric, ts DESC LIMIT ${MAX_OF_SERIES} BY device, metric)
    GROUP BY device, metric`
  const read = createReadRows(client, MAX_SECONDS)
  const rows = await read(row, query, { from, to })
  const series = new Map(
    rows.flatMap(([device, metricId, ts, value]) => {
      const metric = findMetricById(metricId)
      return metric ? [[toKey(device, metric), inOrder(ts, value)] as const] : []
    }),
  )
  return (deviceId, metric) => series.get(toKey(deviceId, metric)) ?? none
}

/** A series in the order of time, which ClickHouse does not guarantee within groups. */
function inOrder(ts: readonly number[], value: readonly number[]): ReadSeries {
  const order = [...ts.keys()].sort((one, other) => (ts[one] ?? 0) - (ts[other] ?? 0))
  return { ts: order.map((at) => ts[at] ?? 0), value: order.map((at) => value[at] ?? 0) }
}
