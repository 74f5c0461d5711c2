import { type AckMessage, toDownTopic } from '@isotherm/contract/mqtt'
import type { Clock, Timer } from '../../../platform/clock.ts'
import type { DirectoryEntry } from '../../devices/index.ts'
import { MAX_BOOTS } from '../messages/number-runs.ts'
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

/**
 * Sends each gateway its watermark: the number up to which all its messages are durable. Sends at most once a second,
 * after a change. A gateway that restarted first sends its stored messages with the numbers of the earlier boot;
 * those get a watermark of that boot.
 */
export interface AckWatermarks {
  /**
   * A message of the gateway became durable here, or the gateway needs the watermark again. `boot`: that of the message;
   * without it only the newest boot gets a watermark.
   */
  mark(gatewayId: number, boot?: number): void
  /**
   * Another replica reports a durable message of the gateway. If it fills a gap at the last watermark of this
   * replica, this one sends the new watermark, because the other replica does not know the messages that are durable
   * here. `boot`: that of the message.
   */
  recordOther(gatewayId: number, boot: number): void
  /**
   * Returns since when (Unix ms) another replica may have stored messages that this one does not know and that stop a
   * watermark at a gap; undefined if no check is due. Checks of one gap are due at growing intervals, and each reads
   * further back.
   */
  takeDueGap(): number | undefined
  close(): void
}

/** Pauses between the checks of a gap, ms. After the last one the gap is given up: the gateway lost its messages. */
export const GAP_CHECKS_MS = [5_000, 10_000, 20_000, 60_000, 300_000, 1_800_000] as const

/** A gateway whose last watermark stopped at a gap. */
interface Behind {
  gaps: number
  readonly since: number
  checks: number
  nextAt: number
}

/** How far back before a gap was noticed a check reads, as a multiple of the gap's age. */
const REACH_BACK = 4

export function createAckWatermarks(options: AckWatermarksOptions): AckWatermarks {
  const { clock, seen, toMessage = (watermark) => watermark, intervalMs = 1_000 } = options
  /** Boots of the messages by gateway. */
  let marked = new Map<number, Set<number>>()
  let timer: Timer | undefined
  const behind = new Map<number, Behind>()
  /** Earlier boots by gateway of which this replica stored messages. */
  const earlierBoots = new Map<number, Set<number>>()

  function sendOne(gatewayId: number, watermark: AckMessage): void {
    const gateway = options.findGateway(gatewayId)
    if (!gateway) return
    const message = JSON.stringify(toMessage(watermark))
    const sent = options.publish(toDownTopic(gateway.tenant, gateway.serial, 'ack'), message)
    // The broker is away: retry later.
    sent.catch(() => mark(gatewayId, watermark.boot))
  }

  function noteEarlier(gatewayId: number, boot: number): void {
    const known = (earlierBoots.get(gatewayId) ?? new Set<number>()).add(boot)
    const [oldest] = known
    if (known.size > MAX_BOOTS && oldest !== undefined) known.delete(oldest)
    earlierBoots.set(gatewayId, known)
  }

  function noteGaps(gatewayId: number, hasWatermark: boolean): void {
    const gaps = seen.countGaps(gatewayId)
    const known = behind.get(gatewayId)
    if (hasWatermark && gaps === 0) behind.delete(gatewayId)
    else if (!known || gaps > known.gaps) {
      const now = clock.now()
      behind.set(gatewayId, { gaps, since: now, checks: 0, nextAt: now + GAP_CHECKS_MS[0] })
    } else known.gaps = gaps
  }

  function send(gatewayId: number, boots: ReadonlySet<number>): void {
    const newest = seen.findWatermark(gatewayId)
    noteGaps(gatewayId, newest !== undefined)
    for (const boot of boots) {
      if (boot === newest?.boot) continue
      noteEarlier(gatewayId, boot)
      const earlier = seen.findWatermark(gatewayId, boot)
      if (earlier) sendOne(gatewayId, earlier)
    }
    if (newest) sendOne(gatewayId, newest)
  }

  function flush(): void {
    timer = undefined
    const due = marked
    marked = new Map()
    for (const [gatewayId, boots] of due) send(gatewayId, boots)
  }

  function mark(gatewayId: number, boot?: number): void {
    const boots = marked.get(gatewayId) ?? new Set()
    marked.set(gatewayId, boots)
    if (boot !== undefined) boots.add(boot)
    timer ??= clock.setTimeout(flush, intervalMs)
  }

  return {
    mark,
    recordOther(gatewayId, boot) {
      if (earlierBoots.get(gatewayId)?.has(boot)) mark(gatewayId, boot)
      else if (behind.has(gatewayId)) mark(gatewayId)
    },
    takeDueGap() {
      const now = clock.now()
      let earliest: number | undefined
      for (const gap of behind.values()) {
        if (gap.nextAt > now) continue
        // A message may have been accepted long before it could be stored, so a later check reaches further back.
        const since = gap.since - REACH_BACK * (now - gap.since)
        earliest = Math.min(earliest ?? since, since)
        gap.checks += 1
        gap.nextAt = now + (GAP_CHECKS_MS[gap.checks] ?? Number.POSITIVE_INFINITY)
      }
      return earliest
    },
    close: () => timer?.cancel(),
  }
}
