import { metrics } from '@isotherm/contract/metrics'
import { z } from 'zod'
import { type ClickHouseClient, createReadRows } from '../../../platform/clickhouse/clickhouse.ch.ts'
import { STILL_PCT } from '../measurements/measured-loop.ts'
import { NOT_MEASURED } from '../measurements/readings.ch.ts'

/** Travel of valves in a time range, by device; without valves that never reported an opening. */
export interface ValveTravel {
  readonly byDevice: ReadonlyMap<number, { readonly moves: number; readonly strokes: number }>
  /** First report of any of them in the range, Unix ms; undefined without one. */
  readonly since: number | undefined
}

const MAX_SECONDS = 20

const row = z.tuple([z.number(), z.number(), z.coerce.number(), z.coerce.number()])

/**
 * Moves and travel of valves from their reported openings, whatever moved them. Successive readings in the same
 * direction are one move.
 */
export async function readTravel(
  client: ClickHouseClient,
  deviceIds: readonly number[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<ValveTravel> {
  if (deviceIds.length === 0) return { byDevice: new Map(), since: undefined }
  const query = `WITH arrayMap(entry -> entry.2, arraySort(groupArray((ts, value)))) AS shown,
      arrayMap(step -> if(abs(step) > ${STILL_PCT}, step, 0), arrayDifference(shown)) AS steps,
      arrayPushFront(arrayPopBack(steps), 0.) AS before
    SELECT device, arrayCount((step, last) -> step != 0 AND sign(step) != sign(last), steps, before) AS moves,
      arraySum(arrayMap(step -> abs(step), steps)) / 100 AS strokes, toUnixTimestamp64Milli(min(ts)) AS since
    FROM readings FINAL
    WHERE device IN (${deviceIds.join(',')}) AND metric = ${metrics['valve.opening'].id}
      AND ts >= fromUnixTimestamp64Milli({from: Int64}) AND ts < fromUnixTimestamp64Milli({to: Int64})
      AND bitAnd(quality, ${NOT_MEASURED}) = 0
    GROUP BY device SETTINGS do_not_merge_across_partitions_select_final = 1`
  const rows = await createReadRows(client, MAX_SECONDS)(row, query, { from, to })
  return {
    byDevice: new Map(rows.map(([device, moves, strokes]) => [device, { moves, strokes }])),
    since: rows.length === 0 ? undefined : Math.min(...rows.map(([, , , since]) => since)),
  }
}
