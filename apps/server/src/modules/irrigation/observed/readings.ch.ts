import { DOUBTFUL_QUALITY, metrics } from '@isotherm/contract/metrics'
import { z } from 'zod'
import { type ClickHouseClient, streamRows } from '../../../platform/clickhouse/clickhouse.ch.ts'
import type { ValveReading } from './find-rotations.ts'

const OPENING = metrics['valve.opening'].id
const FLOW = metrics['heat.flow'].id

const changed = z.tuple([z.coerce.number(), z.coerce.number(), z.number()])
const reading = z.tuple([z.number(), z.number(), z.coerce.number(), z.number()])

/** What was stored of some valves since an instant (Unix s) by the clock of the store, of measurements since `from` (Unix ms). */
export async function findStored(
  client: ClickHouseClient,
  { deviceIds, since, from }: { deviceIds: readonly number[]; since: number; from: number },
): Promise<{ readonly firstMs: number | undefined; readonly nowS: number }> {
  const query = `SELECT count(), toUnixTimestamp64Milli(min(ts)), toUnixTimestamp(now()) FROM readings
    WHERE device IN {deviceIds: Array(UInt32)} AND metric IN (${OPENING}, ${FLOW})
      AND ts >= fromUnixTimestamp64Milli({from: Int64}) AND stored >= toDateTime({since: UInt32}, 'UTC')`
  for await (const row of streamRows(client, query, { deviceIds, since, from })) {
    const [count, firstMs, nowS] = changed.parse(row)
    return { firstMs: count > 0 ? firstMs : undefined, nowS }
  }
  throw new Error('the store gave no answer')
}

/** Openings and flows of valves since an instant (Unix ms), in the order of their time: the opening first, to which a flow belongs. */
export async function readValves(
  client: ClickHouseClient,
  deviceIds: readonly number[],
  from: number,
): Promise<readonly ValveReading[]> {
  const query = `SELECT device, metric, toUnixTimestamp64Milli(ts), value FROM readings FINAL
    WHERE device IN {deviceIds: Array(UInt32)} AND metric IN (${OPENING}, ${FLOW})
      AND ts >= fromUnixTimestamp64Milli({from: Int64}) AND bitAnd(quality, ${DOUBTFUL_QUALITY}) = 0 ORDER BY ts, metric = ${FLOW}`
  const readings: ValveReading[] = []
  for await (const row of streamRows(client, query, { deviceIds, from })) {
    const [deviceId, metric, ts, value] = reading.parse(row)
    readings.push({ deviceId, ts, metric: metric === OPENING ? 'opening' : 'flow', value })
  }
  return readings
}
