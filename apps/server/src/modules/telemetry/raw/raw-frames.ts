import type { ClickHouseClient } from '../../../platform/clickhouse/clickhouse.ch.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { DeviceDirectory } from '../../devices/index.ts'
import { createAckWatermarks } from '../delivery/ack-watermarks.ts'
import { createSeenMessages } from '../delivery/seen-messages.ts'
import type { StoredRun } from '../messages/message-key.ts'
import { insertFrames, readStoredFrames } from './raw-store.ch.ts'
import { createRawWriter, type RawWriter } from './raw-writer.ts'

export interface RawFramesOptions {
  readonly directory: Pick<DeviceDirectory, 'findById'>
  readonly clickhouse: ClickHouseClient
  readonly clock: Clock
  readonly log: Log
  /** Sends at QoS 0: a lost one is made up for by the next. */
  readonly publish: (topic: string, payload: string) => Promise<void>
  /** Told of frames that became durable. */
  readonly stored: (count: number) => void
}

/** What nodes pass on of field buses, from its arrival until they may forget it. */
export interface RawFrames {
  readonly writer: RawWriter
  /** Calls `take` for the frame messages that are done since an instant, Unix ms. */
  readStored(since: number, take: (run: StoredRun) => void): Promise<void>
  /** Takes that messages are durable, whoever stored them. */
  note(run: StoredRun): void
  /** Tells a node, soon, up to which message all are durable. */
  sendWatermark(gatewayId: number): void
  close(): void
}

export function createRawFrames(options: RawFramesOptions): RawFrames {
  const { clickhouse, clock, log } = options
  const seen = createSeenMessages()
  const watermarks = createAckWatermarks({
    clock,
    seen,
    publish: options.publish,
    findGateway: options.directory.findById,
    toMessage: ({ boot, seq }) => ({ boot, raw: seq }),
  })
  return {
    writer: createRawWriter({
      insert: (frames) => insertFrames(clickhouse, frames),
      clock,
      log,
      stored: options.stored,
    }),
    readStored: (since, take) => readStoredFrames(clickhouse, since, take),
    note({ gatewayId, boot, from, to }) {
      seen.addRun(gatewayId, boot, from, to)
      watermarks.noteOther(gatewayId)
    },
    sendWatermark: watermarks.mark,
    close: watermarks.close,
  }
}
