import { Readable } from 'node:stream'
import { buffer as readAll } from 'node:stream/consumers'
import { findMetricById } from '@isotherm/contract/metrics'
import { z } from 'zod'
import { type ClickHouseClient, streamRows } from '../../../platform/clickhouse/clickhouse.ch.ts'
import { toMessageKey } from '../messages/message-key.ts'
import { encodeRows, PART_OF_MESSAGE, ROW_COLUMNS } from '../messages/row-binary.ts'
import type { ReadingMessage } from '../messages/sample.ts'
import { ALL_DEVICES, countInMonths, type DeviceRange, listDeviceRanges } from './device-ranges.ch.ts'
import type { ReadingStore } from './reading-store.ts'
import { throwRefusedRows } from './refused-rows.ch.ts'
import { readStoredRuns } from './stored-runs.ch.ts'

const storedRow = z.tuple([z.number(), z.number(), z.number(), z.coerce.number()])
const latestRow = z.tuple([z.number(), z.number(), z.number(), z.coerce.number(), z.number()])

/** Readings that one statement goes through at a start: a second or two, where one of 30 s is given up. */
const ROWS_AT_ONCE = 10_000_000
/** The same where only numbers of messages are asked for, by how many times as many. */
const MESSAGES_AT_ONCE = 5
/**
 * Back-fill may go over more months than the 100 an insert may otherwise make parts of (0: as many as there are): one
 * that is refused would be tried again for ever, and hold up whatever came with it.
 */
const INSERT = `INSERT INTO readings (${ROW_COLUMNS}) SETTINGS max_partitions_per_insert_block = 0 FORMAT RowBinary`

/** The store of readings in ClickHouse. */
export function createReadingStore(client: ClickHouseClient, rowsAtOnce = ROWS_AT_ONCE): ReadingStore {
  const rows = (query: string, params: Record<string, unknown>) => streamRows(client, query, params)

  async function insertBinary(query: string, body: Uint8Array, query_id: string): Promise<void> {
    const values = Readable.from([body], { objectMode: false })
    const { stream } = await client.exec({ query, values, query_id })
    await readAll(stream)
  }

  async function isRunning(attempt: string): Promise<boolean> {
    const query = 'SELECT count() FROM system.processes WHERE query_id = {attempt: String}'
    for await (const row of rows(query, { attempt })) return z.tuple([z.coerce.number()]).parse(row)[0] > 0
    return false
  }

  async function listRanges(since: number): Promise<readonly DeviceRange[]> {
    const count = await countInMonths(client, since)
    return listDeviceRanges(client, Math.ceil(count / rowsAtOnce), since)
  }

  async function countByMessage(messages: readonly ReadingMessage[]): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>()
    const query = `SELECT node, boot, seq, count() FROM readings
      WHERE received BETWEEN fromUnixTimestamp64Milli({first: Int64}) AND fromUnixTimestamp64Milli({last: Int64})
        AND months != ${PART_OF_MESSAGE}
      GROUP BY node, boot, seq`
    const arrivals = messages.map(({ received }) => received)
    // Not Math.min(...arrivals): a batch may have more messages than a call may have arguments.
    const first = arrivals.reduce((least, received) => Math.min(least, received), Number.MAX_SAFE_INTEGER)
    const last = arrivals.reduce((most, received) => Math.max(most, received), 0)
    for await (const row of rows(query, { first, last })) {
      const [node, boot, seq, count] = storedRow.parse(row)
      counts.set(toMessageKey({ node, boot, seq }), count)
    }
    return counts
  }

  return {
    insert: (messages, attempt) =>
      throwRefusedRows(() => insertBinary(INSERT, encodeRows(messages), attempt)),

    async findStored(messages, attempt) {
      if (await isRunning(attempt)) throw new Error('an insert whose connection broke is still running')
      const counts = await countByMessage(messages)
      const isWhole = (message: ReadingMessage) => (counts.get(toMessageKey(message)) ?? 0) >= message.rows
      return new Set(messages.filter(isWhole).map(toMessageKey))
    },

    async readStored(since, take) {
      const runs = await readStoredRuns(client, since, MESSAGES_AT_ONCE * rowsAtOnce)
      for (const run of runs.list()) take(run)
    },

    async readLatest({ since, receivedSince }, take) {
      const ranges = receivedSince === undefined ? await listRanges(since) : [ALL_DEVICES]
      const query = `SELECT device, metric, argMax(value, ts), toUnixTimestamp64Milli(max(ts)), argMax(quality, ts)
        FROM readings WHERE live = 1 AND ts >= fromUnixTimestamp64Milli({since: Int64})
          AND received >= fromUnixTimestamp64Milli({receivedSince: Int64})
          AND device >= {first: UInt32} AND device <= {last: UInt32} GROUP BY device, metric`
      for (const range of ranges) {
        for await (const row of rows(query, { since, receivedSince: receivedSince ?? 0, ...range })) {
          const [deviceId, metricId, value, ts, quality] = latestRow.parse(row)
          const metric = findMetricById(metricId)
          if (metric) take({ deviceId, ts, quality, values: [{ metric, value, quality }] })
        }
      }
    },

    async findHeard(deviceIds) {
      const query = 'SELECT device FROM readings WHERE device IN ({deviceIds: Array(UInt32)}) LIMIT 1'
      for await (const row of rows(query, { deviceIds })) return z.tuple([z.number()]).parse(row)[0]
      return undefined
    },
  }
}
