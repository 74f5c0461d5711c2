import { metrics } from '@isotherm/contract/metrics'
import { z } from 'zod'
import { type ClickHouseClient, createReadRows } from '../../../platform/clickhouse/clickhouse.ch.ts'
import { STILL_PCT } from '../measurements/measured-loop.ts'
import { NOT_MEASURED } from '../measurements/readings.ch.ts'

const MAX_SECONDS = 20

const row = z.tuple([z.number(), z.coerce.number()])

/**
 * Last instant at which each valve was at another opening than at the end of a time range, Unix ms; only valves that
 * moved.
 */
export async function readLastMoves(
  client: ClickHouseClient,
  deviceIds: readonly number[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<ReadonlyMap<number, number>> {
  if (deviceIds.length === 0) return new Map()
  const query = `WITH argMax(value, ts) AS now,
      arrayFilter(entry -> abs(entry.2 - now) > ${STILL_PCT}, groupArray((ts, value))) AS elsewhere
    SELECT device, toUnixTimestamp64Milli(arrayMax(entry -> entry.1, elsewhere)) FROM readings FINAL
    WHERE device IN (${deviceIds.join(',')}) AND metric = ${metrics['valve.opening'].id}
      AND ts > fromUnixTimestamp64Milli({from: Int64}) AND ts <= fromUnixTimestamp64Milli({to: Int64})
      AND bitAnd(quality, ${NOT_MEASURED}) = 0
    GROUP BY device HAVING notEmpty(elsewhere) SETTINGS do_not_merge_across_partitions_select_final = 1`
  return new Map(await createReadRows(client, MAX_SECONDS)(row, query, { from, to }))
}
