import { metrics } from '@isotherm/contract/metrics'
import { z } from 'zod'
import { type ClickHouseClient, createReadRows } from '../../../platform/clickhouse/clickhouse.ch.ts'
import { NOT_MEASURED, type ReadSeries } from '../measurements/readings.ch.ts'

const MAX_SECONDS = 20
/** Number of steps into which a time range is divided. */
const STEPS = 120

const row = z.tuple([z.coerce.number(), z.number()])

/**
 * Heads that a station's controller reported to hold, kPa: means of steps of a time range by their start, oldest
 * first.
 */
export async function readHeads(
  client: ClickHouseClient,
  deviceId: number,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<ReadSeries> {
  const query = `SELECT intDiv(toUnixTimestamp64Milli(ts), {stepMs: Int64}) * {stepMs: Int64} AS at, avg(value)
    FROM readings FINAL
    WHERE device = {deviceId: Int64} AND metric = ${metrics['pump.target'].id}
      AND ts > fromUnixTimestamp64Milli({from: Int64}) AND ts <= fromUnixTimestamp64Milli({to: Int64})
      AND bitAnd(quality, ${NOT_MEASURED}) = 0
    GROUP BY at ORDER BY at SETTINGS do_not_merge_across_partitions_select_final = 1`
  const stepMs = Math.max(1, Math.ceil((to - from) / STEPS))
  const rows = await createReadRows(client, MAX_SECONDS)(row, query, { deviceId, from, to, stepMs })
  return { ts: rows.map(([at]) => at), value: rows.map(([, headKpa]) => headKpa) }
}
