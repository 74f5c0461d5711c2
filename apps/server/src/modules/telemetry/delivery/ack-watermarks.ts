import { type AckMessage, toDownTopic } from '@isotherm/contract/mqtt'
import type { Clock, Timer } from '../../../platform/clock.ts'
import type { DirectoryEntry } from '../../devices/index.ts'
import type { SeenMessages } from './seen-messages.ts'

export interface AckWatermarksOptions {
  readonly clock: Clock
  readonly seen: Pick<SeenMessages, 'findWatermark' | 'countGaps'>
  readonly findGateway: (id: number) => DirectoryEntry | undefined
  /** Sends at QoS 0: the next message replaces a lost one. */
  readonly publish: (topic: string, payload: string) => Promise<void>
  /** Body of the message for a watermark; default the watermark itself. */
  readonly toMessage?: (watermark: AckMessage) => unknown
  readonly intervalMs?: number
}

/** Sends each gateway the number up to which all its messages are durable: at most once a second, after a change. */
export interface AckWatermarks {
  /** A message of the gateway became durable here, or the gateway needs the watermark again. */
  mark(gatewayId: number): void
  /**
   * Another replica reports a durable message of the gateway. If it fills a gap in the last watermark that this replica
   * sent, this one must send the new watermark: the other did not know the messages that are durable here.
   */
  recordOther(gatewayId: number): void
  close(): void
}

export function createAckWatermarks(options: AckWatermarksOptions): AckWatermarks {
  const { clock, seen, toMessage = (watermark) => watermark, intervalMs = 1_000 } = options
  let marked = new Set<number>()
  let timer: Timer | undefined
  /** Gateways whose last watermark stopped at a gap. */
  const behind = new Set<number>()

  function send(gatewayId: number): void {
    const gateway = options.findGateway(gatewayId)
    const watermark = seen.findWatermark(gatewayId)
    if (watermark && seen.countGaps(gatewayId) === 0) behind.delete(gatewayId)
    else behind.add(gatewayId)
    if (!gateway || !watermark) return
    const message = JSON.stringify(toMessage(watermark))
    const sent = options.publish(toDownTopic(gateway.tenant, gateway.serial, 'ack'), message)
    // The broker is away: retry later.
    sent.catch(() => mark(gatewayId))
  }

  function flush(): void {
    timer = undefined
    const due = marked
    marked = new Set()
    for (const gatewayId of due) send(gatewayId)
  }

  function mark(gatewayId: number): void {
    marked.add(gatewayId)
    timer ??= clock.setTimeout(flush, intervalMs)
  }

  return {
    mark,
    recordOther(gatewayId) {
      if (behind.has(gatewayId)) mark(gatewayId)
    },
    close: () => timer?.cancel(),
  }
}
