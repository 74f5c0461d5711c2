import { type MetricName, metrics } from '@isotherm/contract/metrics'
import { z } from 'zod'
import { type ClickHouseClient, streamRows } from '../../../platform/clickhouse/clickhouse.ch.ts'

/** What makes a reading one reading. */
export interface ReadingKey {
  readonly deviceId: number
  readonly metric: MetricName
  /** Unix ms. */
  readonly ts: number
}

/** A stored value and the message that brought it. */
export interface StoredValue {
  readonly value: number
  readonly gatewayId: number
  readonly boot: number
}

const KEY_BYTES = 14
/** Keys of one statement: their text is about 100 KB. */
const KEYS_AT_ONCE = 5_000

const storedRow = z.tuple([z.number(), z.number(), z.coerce.number(), z.number(), z.number(), z.number()])

export const toKeyText = ({ deviceId, metric, ts }: ReadingKey): string =>
  `${deviceId}:${metrics[metric].id}:${ts}`

/** A subquery that returns the keys. They are packed as bytes, which are parsed faster than a list of tuples. */
function toKeySet(keys: readonly ReadingKey[]): string {
  const bytes = Buffer.allocUnsafe(keys.length * KEY_BYTES)
  for (const [index, { deviceId, metric, ts }] of keys.entries()) {
    bytes.writeUInt32LE(deviceId, index * KEY_BYTES)
    bytes.writeUInt16LE(metrics[metric].id, index * KEY_BYTES + 4)
    bytes.writeBigInt64LE(BigInt(ts), index * KEY_BYTES + 6)
  }
  const part = (from: number, length: number) =>
    `substring(packed, number * ${KEY_BYTES} + ${from + 1}, ${length})`
  return `WITH base64Decode('${bytes.toString('base64')}') AS packed
    SELECT reinterpretAsUInt32(${part(0, 4)}), reinterpretAsUInt16(${part(4, 2)}),
      fromUnixTimestamp64Milli(reinterpretAsInt64(${part(6, 8)}), 'UTC') FROM numbers(${keys.length})`
}

/** The stored values of some keys, by `toKeyText`. */
export async function findStoredValues(
  client: ClickHouseClient,
  keys: readonly ReadingKey[],
): Promise<ReadonlyMap<string, StoredValue>> {
  const found = new Map<string, StoredValue>()
  for (let start = 0; start < keys.length; start += KEYS_AT_ONCE) {
    const some = keys.slice(start, start + KEYS_AT_ONCE)
    const instants = some.map(({ ts }) => ts)
    const query = `SELECT device, metric, toUnixTimestamp64Milli(ts) AS at, argMax(value, received), argMax(node, received),
        argMax(boot, received) FROM readings
      WHERE ts BETWEEN fromUnixTimestamp64Milli({first: Int64}) AND fromUnixTimestamp64Milli({last: Int64})
        AND (device, metric, ts) IN (${toKeySet(some)})
      GROUP BY device, metric, ts`
    const params = { first: Math.min(...instants), last: Math.max(...instants) }
    for await (const row of streamRows(client, query, params, { max_query_size: String(1 << 20) })) {
      const [device, metric, ts, value, gatewayId, boot] = storedRow.parse(row)
      found.set(`${device}:${metric}:${ts}`, { value, gatewayId, boot })
    }
  }
  return found
}
