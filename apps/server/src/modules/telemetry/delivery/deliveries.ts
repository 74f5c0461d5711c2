import type { Clock } from '../../../platform/clock.ts'
import type { Owners } from '../../../platform/replicas/owners.ts'
import type { DirectoryEntry } from '../../devices/index.ts'
import { FROM_FILES, type StoredMessage, type StoredRun } from '../messages/message-key.ts'
import { createAckWatermarks } from './ack-watermarks.ts'
import { createGapWatch } from './gap-watch.ts'
import { createSeenMessages, type SeenMessages } from './seen-messages.ts'

export interface DeliveriesOptions {
  readonly clock: Clock
  readonly owners: Pick<Owners, 'owns' | 'onChanged'>
  readonly findGateway: (id: number) => DirectoryEntry | undefined
  /** Sends at QoS 0: the next message replaces a lost one. */
  readonly publish: (topic: string, payload: string) => Promise<void>
  /** Counts gaps that were requested, and those of them that were filled. */
  readonly gapsOpened: (count: number) => void
  readonly gapsClosed: (count: number) => void
}

/** Which reading messages are durable, what each gateway knows about it, and which messages are missing. */
export interface Deliveries {
  readonly seen: SeenMessages
  /** This server stored the message, or refused it for good. The gateway may delete it in both cases. */
  recordDone(message: StoredMessage): void
  /** Another replica or the store reports that messages are done. */
  recordDoneElsewhere(run: StoredRun): void
  /** The same at start. What was missing long before is requested only after the gateway has sent something. */
  restore(run: StoredRun): void
  /** Sends the watermark again, soon: the gateway came back, or it repeated a message of `boot` that is stored. */
  repeatWatermark(gatewayId: number, boot?: number): void
  /** See `AckWatermarks.takeDueGap`. */
  takeDueGap(): number | undefined
  /** The gateway is online again: gaps that were requested without success are requested again. */
  retryGaps(gatewayId: number): void
  close(): void
}

export function createDeliveries(options: DeliveriesOptions): Deliveries {
  const { clock, owners, findGateway, publish } = options
  const seen = createSeenMessages()
  const watermarks = createAckWatermarks({ clock, seen, publish, findGateway })
  const gaps = createGapWatch({
    clock,
    owners,
    seen,
    findGateway,
    publish,
    opened: options.gapsOpened,
    closed: options.gapsClosed,
  })

  function restore({ gatewayId, boot, from, to }: StoredRun): void {
    if (gatewayId === FROM_FILES) return
    seen.addRun(gatewayId, boot, from, to)
    watermarks.recordOther(gatewayId, boot)
  }

  return {
    seen,
    recordDone({ gatewayId, boot, seq }) {
      if (gatewayId === FROM_FILES) return
      seen.add(gatewayId, boot, seq)
      watermarks.mark(gatewayId, boot)
      gaps.note(gatewayId)
    },
    recordDoneElsewhere(run) {
      restore(run)
      if (run.gatewayId !== FROM_FILES) gaps.note(run.gatewayId)
    },
    restore,
    repeatWatermark: watermarks.mark,
    takeDueGap: watermarks.takeDueGap,
    retryGaps: gaps.retry,
    close() {
      watermarks.close()
      gaps.close()
    },
  }
}
