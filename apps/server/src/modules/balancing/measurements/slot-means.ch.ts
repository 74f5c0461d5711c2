import { DOUBTFUL_QUALITY, findMetricById, type MetricName, metrics } from '@isotherm/contract/metrics'
import { z } from 'zod'
import { type ClickHouseClient, createReadRows } from '../../../platform/clickhouse/clickhouse.ch.ts'

/** Unix ms, half open, divided into slots of equal width. */
export interface SlotSpan {
  readonly from: number
  readonly to: number
  readonly slotMs: number
}

/** Means of one device and metric by slot, NaN without a trusted reading; undefined without any. */
export type SlotMeans = (deviceId: number, metric: MetricName) => Float64Array | undefined

const MAX_SECONDS = 20

const row = z.tuple([z.number(), z.number(), z.array(z.coerce.number()), z.array(z.number())])

export async function readSlotMeans(
  client: ClickHouseClient,
  deviceIds: readonly number[],
  names: readonly MetricName[],
  { from, to, slotMs }: SlotSpan,
): Promise<SlotMeans> {
  if (deviceIds.length === 0) return () => undefined
  const query = `SELECT device, metric, groupArray(slot), groupArray(mean) FROM (
      SELECT device, metric, intDiv(toUnixTimestamp64Milli(ts) - {from: Int64}, {slotMs: Int64}) AS slot, avg(value) AS mean
      FROM readings FINAL
      WHERE device IN (${deviceIds.join(',')}) AND metric IN (${names.map((name) => metrics[name].id).join(',')})
        AND ts >= fromUnixTimestamp64Milli({from: Int64}) AND ts < fromUnixTimestamp64Milli({to: Int64})
        AND bitAnd(quality, ${DOUBTFUL_QUALITY}) = 0
      GROUP BY device, metric, slot)
    GROUP BY device, metric SETTINGS do_not_merge_across_partitions_select_final = 1`
  const rows = await createReadRows(client, MAX_SECONDS)(row, query, { from, to, slotMs })
  const slots = Math.ceil((to - from) / slotMs)
  const found = new Map<string, Float64Array>()
  for (const [deviceId, metricId, at, means] of rows) {
    const values = new Float64Array(slots).fill(Number.NaN)
    for (const [index, slot] of at.entries()) values[slot] = means[index] ?? Number.NaN
    found.set(`${deviceId} ${findMetricById(metricId)}`, values)
  }
  return (deviceId, metric) => found.get(`${deviceId} ${metric}`)
}
