import { DOUBTFUL_QUALITY, metrics } from '@isotherm/contract/metrics'
import { z } from 'zod'
import { type ClickHouseClient, streamRows } from '../../../platform/clickhouse/clickhouse.ch.ts'

const row = z.tuple([z.number(), z.number()])

/** How far room temperatures are below their highest value since an instant (Unix ms), K, by device. */
export async function readRecentFalls(
  client: ClickHouseClient,
  deviceIds: readonly number[],
  since: number,
): Promise<ReadonlyMap<number, number>> {
  const falls = new Map<number, number>()
  if (deviceIds.length === 0) return falls
  const query = `SELECT device, max(value) - argMax(value, ts) FROM readings
    WHERE device IN ({ids: Array(UInt32)}) AND metric = ${metrics['temp.room'].id}
      AND ts >= fromUnixTimestamp64Milli({since: Int64}) AND bitAnd(quality, ${DOUBTFUL_QUALITY}) = 0
    GROUP BY device SETTINGS max_execution_time = 5`
  for await (const given of streamRows(client, query, { ids: [...deviceIds], since })) {
    const [device, fallK] = row.parse(given)
    falls.set(device, fallK)
  }
  return falls
}
