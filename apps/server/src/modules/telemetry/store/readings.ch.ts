import { Readable } from 'node:stream'
import { buffer as readAll } from 'node:stream/consumers'
import { findMetricById } from '@isotherm/contract/metrics'
import { z } from 'zod'
import {
  type ClickHouseClient,
  estimateRows,
  streamRows,
} from '../../../platform/clickhouse/clickhouse.ch.ts'
import { type IdRanges, isInRanges } from '../messages/id-ranges.ts'
import type { LatestUpdate } from '../messages/latest-update.ts'
import { toMessageKey } from '../messages/message-key.ts'
import { encodeRows, PART_OF_MESSAGE, ROW_COLUMNS } from '../messages/row-binary.ts'
import type { ReadingMessage } from '../messages/sample.ts'
import { readCountParts } from './count-parts.ch.ts'
import { countInMonths, listDeviceRanges } from './device-ranges.ch.ts'
import { throwRefusedRows } from './refused-rows.ch.ts'

const countRow = z.tuple([z.coerce.number()])
const storedRow = z.tuple([z.number(), z.number(), z.number(), z.coerce.number()])
const latestRow = z.tuple([z.number(), z.number(), z.number(), z.coerce.number(), z.number()])

/**
 * Readings that one statement reads at a start: it takes a second or two. The server gives up a statement after 30 s.
 */
const ROWS_AT_ONCE = 10_000_000
/**
 * Back-fill can contain more than 100 months, the default limit of an insert (0: no limit). A refused insert would be
 * retried forever and would block everything behind it.
 */
const INSERT = `INSERT INTO readings (${ROW_COLUMNS}) SETTINGS max_partitions_per_insert_block = 0 FORMAT RowBinary`

async function isRunning(client: ClickHouseClient, attempt: string): Promise<boolean> {
  const query = 'SELECT count() FROM system.processes WHERE query_id = {attempt: String}'
  for await (const row of streamRows(client, query, { attempt })) return countRow.parse(row)[0] > 0
  return false
}

async function countByMessage(
  client: ClickHouseClient,
  messages: readonly ReadingMessage[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  const query = `SELECT node, boot, seq, count() FROM readings
    WHERE received BETWEEN fromUnixTimestamp64Milli({first: Int64}) AND fromUnixTimestamp64Milli({last: Int64})
      AND months != ${PART_OF_MESSAGE}
    GROUP BY node, boot, seq`
  const arrivals = messages.map(({ received }) => received)
  // Not Math.min(...arrivals): a batch can have more messages than a call can have arguments.
  const first = arrivals.reduce((min, received) => Math.min(min, received), Number.MAX_SAFE_INTEGER)
  const last = arrivals.reduce((max, received) => Math.max(max, received), 0)
  for await (const row of streamRows(client, query, { first, last })) {
    const [gatewayId, boot, seq, count] = storedRow.parse(row)
    counts.set(toMessageKey({ gatewayId, boot, seq }), count)
  }
  return counts
}

/**
 * Stores the rows of all messages in one insert with the id `attempt`. They are durable once it resolves. Rejects with
 * RefusedRowsError if the store refuses some rows because of their content; then no row is stored.
 */
export const insertMessages = (
  client: ClickHouseClient,
  messages: readonly ReadingMessage[],
  attempt: string,
): Promise<void> =>
  throwRefusedRows(async () => {
    const countParts = await readCountParts(client)
    const values = Readable.from([encodeRows(messages, countParts)], { objectMode: false })
    const { stream } = await client.exec({ query: INSERT, values, query_id: attempt })
    await readAll(stream)
  })

/**
 * Keys (toMessageKey) of the messages that are stored with all their rows; for an insert with an unknown outcome. Parts
 * of a message are never included: if they are stored again, the engine merges the equal rows. Rejects while the
 * insert is still running, because it may store them later. On a cluster none counts: an insert without its quorum may have its
 * rows on one replica only, so they are stored again until a quorum has them.
 */
export async function findStoredMessages(
  client: ClickHouseClient,
  messages: readonly ReadingMessage[],
  attempt: string,
): Promise<ReadonlySet<string>> {
  if (client.cluster) return new Set()
  if (await isRunning(client, attempt)) throw new Error('an insert whose connection broke is still running')
  const counts = await countByMessage(client, messages)
  const isWhole = (message: ReadingMessage) => (counts.get(toMessageKey(message)) ?? 0) >= message.rows
  return new Set(messages.filter(isWhole).map(toMessageKey))
}

/**
 * Calls `take` for the newest live value of each metric of each device, measured since `since`; with `receivedSince`
 * only values that arrived since then. Both Unix ms. `devices`: only theirs. `rowsAtOnce`: rows that one statement reads, for tests.
 */
export async function readLatest(
  client: ClickHouseClient,
  {
    since,
    receivedSince,
    devices,
  }: { readonly since: number; readonly receivedSince?: number | undefined; readonly devices?: IdRanges },
  take: (update: LatestUpdate) => void,
  rowsAtOnce = ROWS_AT_ONCE,
): Promise<void> {
  const condition = `ts >= fromUnixTimestamp64Milli({since: Int64})
    AND received >= fromUnixTimestamp64Milli({receivedSince: Int64}) AND ${isInRanges('device', devices)}`
  const count =
    receivedSince === undefined
      ? await countInMonths(client, since)
      : await estimateRows(
          client,
          { table: 'readings', column: 'device', condition },
          { since, receivedSince },
        )
  const ranges = await listDeviceRanges(client, Math.ceil(count / rowsAtOnce), since)
  const query = `SELECT device, metric, argMax(value, ts), toUnixTimestamp64Milli(max(ts)), argMax(quality, ts)
    FROM readings WHERE live = 1 AND ${condition}
      AND device >= {first: UInt32} AND device <= {last: UInt32} GROUP BY device, metric`
  for (const range of ranges) {
    const params = { since, receivedSince: receivedSince ?? 0, ...range }
    for await (const row of streamRows(client, query, params)) {
      const [deviceId, metricId, value, ts, quality] = latestRow.parse(row)
      const metric = findMetricById(metricId)
      if (metric) take({ deviceId, ts, quality, values: [{ metric, value, quality }] })
    }
  }
}

/** One of the devices that has readings of any age; undefined if none has. */
export async function findWithReadings(
  client: ClickHouseClient,
  deviceIds: readonly number[],
): Promise<number | undefined> {
  const query = 'SELECT device FROM readings WHERE device IN ({deviceIds: Array(UInt32)}) LIMIT 1'
  for await (const row of streamRows(client, query, { deviceIds })) return z.tuple([z.number()]).parse(row)[0]
  return undefined
}
