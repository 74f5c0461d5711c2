import { Readable } from 'node:stream'
import { buffer as readAll } from 'node:stream/consumers'
import type { ClickHouseClient } from '../../platform/clickhouse.ch.ts'
import type { RawFrame } from './raw-frame.ts'
import { encodeFrames, RAW_COLUMNS } from './raw-rows.ts'
import { tellRefused } from './refused-rows.ch.ts'

/** Stores frames; one that is stored again is still one (see migrations.ch.ts). */
export const createRawStore =
  (client: ClickHouseClient) =>
  async (frames: readonly RawFrame[]): Promise<void> => {
    const query = `INSERT INTO raw_frames (${RAW_COLUMNS}) FORMAT RowBinary`
    await tellRefused(async () => {
      const values = Readable.from([encodeFrames(frames)], { objectMode: false })
      const { stream } = await client.exec({ query, values })
      await readAll(stream)
    })
  }
