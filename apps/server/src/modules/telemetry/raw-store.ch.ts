import { Readable } from 'node:stream'
import { buffer as readAll } from 'node:stream/consumers'
import { z } from 'zod'
import { type ClickHouseClient, streamRows } from '../../platform/clickhouse.ch.ts'
import type { RawFrame } from './raw-frame.ts'
import { encodeFrames, RAW_COLUMNS } from './raw-rows.ts'
import { tellRefused } from './refused-rows.ch.ts'
import type { StoredMessage } from './store.ts'

const messageRow = z.tuple([z.number(), z.number(), z.number()])

/** Frames of messages that were sent without an envelope have these numbers, and the instant of their arrival. */
const NUMBERED = 'NOT (boot = 0 AND seq = 0 AND ts = toUnixTimestamp64Milli(received))'

export interface RawStore {
  /**
   * Stores frames; one that is stored again is still one (see migrations.ch.ts). Rejects with RefusedRowsError when
   * some cannot be stored for what they hold.
   */
  insert(frames: readonly RawFrame[]): Promise<void>
  /** Calls `take` for each numbered message of which frames were stored since an instant (Unix ms). */
  readMessages(since: number, take: (message: StoredMessage) => void): Promise<void>
}

export const createRawStore = (client: ClickHouseClient): RawStore => ({
  insert(frames) {
    const query = `INSERT INTO raw_frames (${RAW_COLUMNS}) FORMAT RowBinary`
    return tellRefused(async () => {
      const values = Readable.from([encodeFrames(frames)], { objectMode: false })
      const { stream } = await client.exec({ query, values })
      await readAll(stream)
    })
  },

  async readMessages(since, take) {
    const query = `SELECT node, boot, seq FROM raw_frames
      WHERE received >= fromUnixTimestamp64Milli({since: Int64}) AND ${NUMBERED}
      GROUP BY node, boot, seq ORDER BY node, boot, seq`
    for await (const row of streamRows(client, query, { since })) {
      const [node, boot, seq] = messageRow.parse(row)
      take({ node, boot, seq })
    }
  },
})
