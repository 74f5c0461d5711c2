import { Readable } from 'node:stream'
import { buffer as readAll } from 'node:stream/consumers'
import type { ClickHouseClient } from '../../../platform/clickhouse/clickhouse.ch.ts'
import { type IdRanges, isInRanges } from '../messages/id-ranges.ts'
import type { StoredRun } from '../messages/message-key.ts'
import { isRefused } from '../store/refused-messages.ch.ts'
import { throwRefusedRows } from '../store/refused-rows.ch.ts'
import { createRunsByGateway, readRuns } from '../store/stored-runs.ch.ts'
import type { RawFrame } from './raw-frame.ts'
import { encodeFrames, RAW_COLUMNS } from './raw-rows.ts'

/**
 * Condition: the frame belongs to a numbered message. Frames of messages without an envelope have boot and number 0,
 * and the instant of their arrival.
 */
const NUMBERED = 'NOT (boot = 0 AND seq = 0 AND ts = toUnixTimestamp64Milli(received))'

/**
 * Stores frames. A frame that is stored twice counts once (see migrations.ch.ts). Rejects with RefusedRowsError if the
 * store refuses some of them because of their content.
 */
export function insertFrames(client: ClickHouseClient, frames: readonly RawFrame[]): Promise<void> {
  const query = `INSERT INTO raw_frames (${RAW_COLUMNS}) FORMAT RowBinary`
  return throwRefusedRows(async () => {
    const values = Readable.from([encodeFrames(frames)], { objectMode: false })
    const { stream } = await client.exec({ query, values })
    await readAll(stream)
  })
}

/**
 * Calls `take` for the numbered frame messages that are done since an instant (Unix ms): stored, or refused as a whole.
 * The order is by gateway, boot and number. Only of the gateways `nodes`, if they are given.
 */
export async function readStoredFrames(
  client: ClickHouseClient,
  since: number,
  take: (run: StoredRun) => void,
  nodes?: IdRanges,
): Promise<void> {
  const isOurs = isInRanges('node', nodes)
  const condition = `received >= fromUnixTimestamp64Milli({since: Int64}) AND ${NUMBERED} AND ${isOurs}`
  const runs = createRunsByGateway()
  for await (const run of readRuns(client, 'raw_frames', condition, { since })) runs.add(run)
  for await (const run of readRuns(client, 'refused_messages', `${isRefused('frames')} AND ${isOurs}`, {
    since,
  }))
    runs.add(run)
  for (const run of runs.list()) take(run)
}
