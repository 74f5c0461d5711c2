import { type AckMessage, toDownTopic } from '@isotherm/contract/mqtt'
import type { Clock, Timer } from '../../../platform/clock.ts'
import type { DirectoryEntry } from '../../devices/index.ts'
import type { SeenMessages } from './seen-messages.ts'

export interface AckWatermarksOptions {
  readonly clock: Clock
  readonly seen: Pick<SeenMessages, 'findWatermark' | 'countGaps'>
  readonly findGateway: (id: number) => DirectoryEntry | undefined
  /** Sends at QoS 0: a lost one is made up for by the next. */
  readonly publish: (topic: string, payload: string) => Promise<void>
  /** What is said of a watermark. */
  readonly toMessage?: (watermark: AckMessage) => unknown
  readonly intervalMs?: number
}

/** Tells each node up to which message everything is durable, at most once a second, when something changed. */
export interface AckWatermarks {
  /** Something of the node became durable here, or it asks. */
  mark(gatewayId: number): void
  /**
   * Another replica made something of the node durable, and tells it. Where that fills what was missing when this one
   * told the node last, nobody else does: the other did not know yet what is durable here.
   */
  noteOther(gatewayId: number): void
  close(): void
}

export function createAckWatermarks(options: AckWatermarksOptions): AckWatermarks {
  const { clock, seen, toMessage = (watermark) => watermark, intervalMs = 1_000 } = options
  let marked = new Set<number>()
  let timer: Timer | undefined
  /** Nodes that were told less than all that is durable of them, as far as it is known here: something was missing. */
  const behind = new Set<number>()

  function send(gatewayId: number): void {
    const gateway = options.findGateway(gatewayId)
    const watermark = seen.findWatermark(gatewayId)
    if (watermark && seen.countGaps(gatewayId) === 0) behind.delete(gatewayId)
    else behind.add(gatewayId)
    if (!gateway || !watermark) return
    const message = JSON.stringify(toMessage(watermark))
    const sent = options.publish(toDownTopic(gateway.tenant, gateway.serial, 'ack'), message)
    // The broker is away: mark again, so that the node hears it once it is back.
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
    noteOther(gatewayId) {
      if (behind.has(gatewayId)) mark(gatewayId)
    },
    close: () => timer?.cancel(),
  }
}
