import { metrics, quality } from '@isotherm/contract/metrics'
import { z } from 'zod'
import { type ClickHouseClient, streamRows } from '../../../platform/clickhouse/clickhouse.ch.ts'
import { NOT_TRUSTED } from '../sensors/trusted-readings.ts'
import type { ValveReading } from './find-openings.ts'

const OPENING = metrics['valve.opening'].id
const FLOW = metrics['heat.flow'].id

const changed = z.tuple([z.number(), z.coerce.number(), z.coerce.number()])
const reading = z.tuple([z.number(), z.coerce.number(), z.number(), z.number()])

/** What is stored of a valve since an instant. */
export interface Stored {
  /** The earliest measurement, Unix ms. */
  readonly firstMs: number
  /** The time by the clock of the store, Unix s. */
  readonly nowS: number
}

/** The valves of which something was stored since an instant (Unix s) by the clock of the store, measured since `from` (Unix ms). */
export async function findStored(
  client: ClickHouseClient,
  { deviceIds, since, from }: { deviceIds: readonly number[]; since: number; from: number },
): Promise<ReadonlyMap<number, Stored>> {
  const query = `SELECT device, toUnixTimestamp64Milli(min(ts)), toUnixTimestamp(now()) FROM readings
    WHERE device IN {deviceIds: Array(UInt32)} AND metric IN (${OPENING}, ${FLOW})
      AND ts >= fromUnixTimestamp64Milli({from: Int64}) AND stored >= toDateTime({since: UInt32}, 'UTC')
    GROUP BY device`
  const found = new Map<number, Stored>()
  for await (const row of streamRows(client, query, { deviceIds, since, from })) {
    const [deviceId, firstMs, nowS] = changed.parse(row)
    found.set(deviceId, { firstMs, nowS })
  }
  return found
}

/**
 * Openings and flows of a valve in [from, to) (Unix ms), in the order of their time: the opening first, to which a flow belongs. Those
 * of a valve under maintenance have no value: they end what was open before.
 */
export async function readValve(
  client: ClickHouseClient,
  deviceId: number,
  from: number,
  to: number,
): Promise<readonly ValveReading[]> {
  const query = `SELECT metric, toUnixTimestamp64Milli(ts), value, bitAnd(quality, ${quality.maintenance}) FROM readings FINAL
    WHERE device = {deviceId: UInt32} AND metric IN (${OPENING}, ${FLOW})
      AND ts >= fromUnixTimestamp64Milli({from: Int64}) AND ts < fromUnixTimestamp64Milli({to: Int64})
      AND bitAnd(quality, ${NOT_TRUSTED}) = 0 ORDER BY ts, metric = ${FLOW}`
  const readings: ValveReading[] = []
  for await (const row of streamRows(client, query, { deviceId, from, to })) {
    const [metric, ts, value, maintenance] = reading.parse(row)
    readings.push({
      ts,
      metric: metric === OPENING ? 'opening' : 'flow',
      value: maintenance === 0 ? value : undefined,
    })
  }
  return readings
}
