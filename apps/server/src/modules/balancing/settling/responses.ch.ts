import { metrics } from '@isotherm/contract/metrics'
import { z } from 'zod'
import { type ClickHouseClient, createReadRows } from '../../../platform/clickhouse/clickhouse.ch.ts'
import { NOT_MEASURED } from '../measurements/readings.ch.ts'

/** Opening of a valve (%) and its return (mean, °C) in steps of time, oldest first; only steps with both. */
export interface ValveSteps {
  /** Start of each step, Unix ms. */
  readonly at: readonly number[]
  readonly openingPct: readonly number[]
  readonly returnC: readonly number[]
}

const MAX_SECONDS = 20

const row = z.tuple([z.number(), z.array(z.tuple([z.coerce.number(), z.number(), z.number()]))])

/** Openings and returns of valves in a time range, by device, in steps of `stepMs`. */
export async function readResponses(
  client: ClickHouseClient,
  deviceIds: readonly number[],
  { from, to, stepMs }: { readonly from: number; readonly to: number; readonly stepMs: number },
): Promise<ReadonlyMap<number, ValveSteps>> {
  if (deviceIds.length === 0) return new Map()
  const [opening, back] = [metrics['valve.opening'].id, metrics['temp.return'].id]
  const query = `SELECT device, arraySort(groupArray((at, opening, back))) FROM (
      SELECT device, intDiv(toUnixTimestamp64Milli(ts), {stepMs: Int64}) * {stepMs: Int64} AS at,
        argMaxIf(value, ts, metric = ${opening}) AS opening, avgIf(value, metric = ${back}) AS back
      FROM readings FINAL
      WHERE device IN (${deviceIds.join(',')}) AND metric IN (${opening}, ${back})
        AND ts >= fromUnixTimestamp64Milli({from: Int64}) AND ts < fromUnixTimestamp64Milli({to: Int64})
        AND bitAnd(quality, ${NOT_MEASURED}) = 0
      GROUP BY device, at HAVING countIf(metric = ${opening}) > 0 AND countIf(metric = ${back}) > 0)
    GROUP BY device SETTINGS do_not_merge_across_partitions_select_final = 1`
  const rows = await createReadRows(client, MAX_SECONDS)(row, query, { from, to, stepMs })
  return new Map(
    rows.map(([device, steps]) => [
      device,
      {
        at: steps.map(([at]) => at),
        openingPct: steps.map(([, openingPct]) => openingPct),
        returnC: steps.map(([, , returnC]) => returnC),
      },
    ]),
  )
}
