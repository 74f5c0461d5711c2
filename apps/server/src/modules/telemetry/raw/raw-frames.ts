import type { ClickHouseClient } from '../../../platform/clickhouse/clickhouse.ch.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { DeviceDirectory } from '../../devices/index.ts'
import { createAckWatermarks } from '../delivery/ack-watermarks.ts'
import { createSeenMessages } from '../delivery/seen-messages.ts'
import type { StoredRun } from '../messages/message-key.ts'
import { createNumbersPart } from '../snapshots/message-numbers.ch.ts'
import type { SnapshotPart } from '../snapshots/snapshot-writer.ts'
import { insertFrames } from './raw-store.ch.ts'
import { createRawWriter, type RawWriter } from './raw-writer.ts'

export interface RawFramesOptions {
  readonly directory: Pick<DeviceDirectory, 'findById'>
  readonly clickhouse: ClickHouseClient
  /** Calls `take` for the numbers in the snapshot. */
  readonly readNumbers: (take: (run: StoredRun) => void) => Promise<void>
  /** Calls `take` for each run of frame messages that were stored since an instant, Unix ms. */
  readonly readStored: (since: number, take: (run: StoredRun) => void) => Promise<void>
  readonly clock: Clock
  readonly log: Log
  /** Sends at QoS 0: the next message replaces a lost one. */
  readonly publish: (topic: string, payload: string) => Promise<void>
  /** Called with the number of frames that became durable. */
  readonly stored: (count: number) => void
}

/** Frames that gateways forward from field buses: stores them and acknowledges them to the gateways. */
export interface RawFrames {
  readonly writer: RawWriter
  /** Numbers of the frame messages, for the snapshot. */
  readonly numbers: SnapshotPart
  /** Reads the numbers in the snapshot and of the messages stored since an instant (Unix ms). Call it at start. */
  restore(since: number): Promise<void>
  /** Records messages that are durable, on this server or on another one. */
  note(run: StoredRun): void
  /** Sends a gateway its watermark soon. `boot`: of the message that became durable. */
  sendWatermark(gatewayId: number, boot?: number): void
  /** See `AckWatermarks.takeDueGap`. */
  takeDueGap(): number | undefined
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
  function note({ gatewayId, boot, from, to }: StoredRun): void {
    seen.addRun(gatewayId, boot, from, to)
    watermarks.recordOther(gatewayId, boot)
  }

  return {
    writer: createRawWriter({
      insert: (frames) => insertFrames(clickhouse, frames),
      clock,
      log,
      stored: options.stored,
    }),
    numbers: createNumbersPart({ client: clickhouse, of: 'frames', list: seen.listRuns, now: clock.now }),
    async restore(since) {
      await options.readNumbers(note)
      await options.readStored(since, note)
    },
    note,
    sendWatermark: watermarks.mark,
    takeDueGap: watermarks.takeDueGap,
    close: watermarks.close,
  }
}
