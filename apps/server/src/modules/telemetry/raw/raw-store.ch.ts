import { Readable } from 'node:stream'
import { buffer as readAll } from 'node:stream/consumers'
import type { ClickHouseClient } from '../../../platform/clickhouse/clickhouse.ch.ts'
import type { StoredRun } from '../messages/message-key.ts'
import { isRefused } from '../store/refused-messages.ch.ts'
import { throwRefusedRows } from '../store/refused-rows.ch.ts'
import { createRunsByNode, readRuns } from '../store/stored-runs.ch.ts'
import type { RawFrame } from './raw-frame.ts'
import { encodeFrames, RAW_COLUMNS } from './raw-rows.ts'

/** Frames of messages that were sent without an envelope have these numbers, and the instant of their arrival. */
const NUMBERED = 'NOT (boot = 0 AND seq = 0 AND ts = toUnixTimestamp64Milli(received))'

export interface RawStore {
  /**
   * Stores frames; one that is stored again is still one (see migrations.ch.ts). Rejects with RefusedRowsError when
   * some cannot be stored for what they hold.
   */
  insert(frames: readonly RawFrame[]): Promise<void>
  /**
   * Calls `take` for the numbered messages of which frames were stored since an instant (Unix ms), or nothing is kept, boot
   * by boot.
   */
  readStored(since: number, take: (run: StoredRun) => void): Promise<void>
}

export const createRawStore = (client: ClickHouseClient): RawStore => ({
  insert(frames) {
    const query = `INSERT INTO raw_frames (${RAW_COLUMNS}) FORMAT RowBinary`
    return throwRefusedRows(async () => {
      const values = Readable.from([encodeFrames(frames)], { objectMode: false })
      const { stream } = await client.exec({ query, values })
      await readAll(stream)
    })
  },

  async readStored(since, take) {
    const condition = `received >= fromUnixTimestamp64Milli({since: Int64}) AND ${NUMBERED}`
    const runs = createRunsByNode()
    for await (const run of readRuns(client, 'raw_frames', condition, { since })) runs.add(run)
    for await (const run of readRuns(client, 'refused_messages', isRefused('frames'), { since }))
      runs.add(run)
    for (const run of runs.list()) take(run)
  },
})
