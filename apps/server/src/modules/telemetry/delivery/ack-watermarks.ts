import { type AckMessage, toDownTopic } from '@isotherm/contract/mqtt'
import type { Clock, Timer } from '../../../platform/clock.ts'
import type { DirectoryEntry } from '../../devices/index.ts'
import type { SeenMessages } from './seen-messages.ts'

export interface AckWatermarksOptions {
  readonly clock: Clock
  readonly seen: Pick<SeenMessages, 'findWatermark' | 'countGaps'>
  readonly findNode: (id: number) => DirectoryEntry | undefined
  /** Sends at QoS 0: a lost one is made up for by the next. */
  readonly publish: (topic: string, payload: string) => Promise<void>
  /** What is said of a watermark. */
  readonly toMessage?: (watermark: AckMessage) => unknown
  readonly intervalMs?: number
}

/** Tells each node up to which message everything is durable, at most once a second, when something changed. */
export interface AckWatermarks {
  /** Something of the node became durable here, or it asks. */
  mark(nodeId: number): void
  /**
   * Another replica made something of the node durable, and tells it. Where that fills what was missing when this one
   * told the node last, nobody else does: the other did not know yet what is durable here.
   */
  noteOther(nodeId: number): void
  close(): void
}

export function createAckWatermarks(options: AckWatermarksOptions): AckWatermarks {
  const { clock, seen, toMessage = (watermark) => watermark, intervalMs = 1_000 } = options
  let marked = new Set<number>()
  let timer: Timer | undefined
  /** Nodes that were told less than all that is durable of them, as far as it is known here: something was missing. */
  const behind = new Set<number>()

  function send(nodeId: number): void {
    const node = options.findNode(nodeId)
    const watermark = seen.findWatermark(nodeId)
    if (watermark && seen.countGaps(nodeId) === 0) behind.delete(nodeId)
    else behind.add(nodeId)
    if (!node || !watermark) return
    const message = JSON.stringify(toMessage(watermark))
    const sent = options.publish(toDownTopic(node.tenant, node.serial, 'ack'), message)
    // The broker is away: mark again, so that the node hears it once it is back.
    sent.catch(() => mark(nodeId))
  }

  function flush(): void {
    timer = undefined
    const due = marked
    marked = new Set()
    for (const nodeId of due) send(nodeId)
  }

  function mark(nodeId: number): void {
    marked.add(nodeId)
    timer ??= clock.setTimeout(flush, intervalMs)
  }

  return {
    mark,
    noteOther(nodeId) {
      if (behind.has(nodeId)) mark(nodeId)
    },
    close: () => timer?.cancel(),
  }
}
