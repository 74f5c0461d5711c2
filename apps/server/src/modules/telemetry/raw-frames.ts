import type { ClickHouseClient } from '../../platform/clickhouse.ch.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { createAckWatermarks } from './ack-watermarks.ts'
import { createRawStore, type RawStore } from './raw-store.ch.ts'
import { createRawWriter, type RawWriter } from './raw-writer.ts'
import { createSeenMessages } from './seen-messages.ts'
import type { StoredMessage } from './store.ts'
import type { TelemetryOptions } from './telemetry-options.ts'

export interface RawFramesOptions extends Pick<TelemetryOptions, 'directory'> {
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
  readonly readMessages: RawStore['readMessages']
  /** Takes that a message is durable, whoever stored it. */
  note(message: StoredMessage): void
  /** Tells a node, soon, up to which message all are durable. */
  tellNode(nodeId: number): void
  close(): void
}

export function createRawFrames(options: RawFramesOptions): RawFrames {
  const { clock, log } = options
  const store = createRawStore(options.clickhouse)
  const seen = createSeenMessages()
  const watermarks = createAckWatermarks({
    ...{ clock, seen, publish: options.publish, findNode: options.directory.findById },
    toMessage: ({ boot, seq }) => ({ boot, raw: seq }),
  })
  return {
    writer: createRawWriter({ insert: store.insert, clock, log, stored: options.stored }),
    readMessages: store.readMessages,
    note({ node, boot, seq }) {
      seen.add(node, boot, seq)
      watermarks.noteOther(node)
    },
    tellNode: watermarks.mark,
    close: watermarks.close,
  }
}
