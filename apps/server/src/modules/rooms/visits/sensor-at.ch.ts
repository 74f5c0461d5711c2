import { DOUBTFUL_QUALITY, metrics } from '@isotherm/contract/metrics'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { z } from 'zod'
import { type ClickHouseClient, streamRows } from '../../../platform/clickhouse/clickhouse.ch.ts'

const row = z.tuple([z.number(), z.coerce.number()])
/** Readings further from the instant do not describe it. */
const NEAR_MS = 2 * HOUR_MS

/** Trusted reading of a room sensor that is nearest to an instant (Unix ms), °C; undefined without a near one. */
export async function findSensorAt(
  client: ClickHouseClient,
  deviceId: number,
  at: number,
): Promise<number | undefined> {
  const query = `SELECT argMin(value, abs(toUnixTimestamp64Milli(ts) - {at: Int64})), count() FROM readings
    WHERE device = {deviceId: UInt32} AND metric = ${metrics['temp.room'].id}
      AND ts >= fromUnixTimestamp64Milli({from: Int64}) AND ts <= fromUnixTimestamp64Milli({to: Int64})
      AND bitAnd(quality, ${DOUBTFUL_QUALITY}) = 0 SETTINGS max_execution_time = 5`
  const params = { at, deviceId, from: at - NEAR_MS, to: at + NEAR_MS }
  for await (const given of streamRows(client, query, params)) {
    const [roomC, readings] = row.parse(given)
    return readings === 0 ? undefined : roomC
  }
  return undefined
}
