import type { ChildReading } from '@isotherm/contract/mqtt'

/** A telemetry message kept until the server says that it is durable. */
interface KeptMessage {
  readonly boot: number
  readonly seq: number
  readonly d: readonly ChildReading[]
  /** When it last left for the server, Unix ms; undefined while it has not. */
  sentMs: number | undefined
}

/** A message that was delivered but not named durable within this time is sent once more, ms. */
const ACK_PATIENCE_MS = 120_000
/** What left within this time is on its way, and is not sent again for being asked for, ms. */
const JUST_SENT_MS = 30_000

/**
 * What a concentrator keeps in memory for the time it cannot reach the server: the newest `capacity` messages,
 * erased up to the durable watermark. The oldest give way when it is full.
 */
export interface HistoryBuffer {
  readonly keep: (message: Omit<KeptMessage, 'sentMs'>, sentMs: number | undefined) => void
  readonly erase: (boot: number, seq: number) => void
  /** The next message to send as history, marked as sent at `nowMs`; undefined when none is due. */
  readonly takeNext: (nowMs: number) => KeptMessage | undefined
  /** Makes due again what is kept of these numbers of a boot, both ends included, and was not sent just now. */
  readonly request: (boot: number, from: number, to: number, nowMs: number) => void
  readonly size: () => number
  readonly dropped: () => number
}

export function createHistoryBuffer(capacity: number): HistoryBuffer {
  const kept = new Map<string, KeptMessage>()
  const toKey = ({ boot, seq }: { readonly boot: number; readonly seq: number }) => `${boot}:${seq}`
  let dropped = 0
  // A server that never names a watermark is not asked twice.
  let isWatermarkKnown = false
  const isDue = (message: KeptMessage, nowMs: number): boolean =>
    message.sentMs === undefined || (isWatermarkKnown && nowMs - message.sentMs > ACK_PATIENCE_MS)
  return {
    keep: (message, sentMs) => {
      kept.set(toKey(message), { ...message, sentMs })
      const [oldest] = kept.keys()
      if (kept.size <= capacity || oldest === undefined) return
      kept.delete(oldest)
      dropped++
    },
    erase: (boot, seq) => {
      isWatermarkKnown = true
      for (const message of kept.values()) {
        if (message.boot > boot || (message.boot === boot && message.seq > seq)) break
        kept.delete(toKey(message))
      }
    },
    takeNext: (nowMs) => {
      for (const message of kept.values()) {
        if (!isDue(message, nowMs)) continue
        message.sentMs = nowMs
        return message
      }
      return undefined
    },
    request: (boot, from, to, nowMs) => {
      for (const message of kept.values()) {
        if (message.boot !== boot || message.seq < from || message.seq > to) continue
        if (nowMs - (message.sentMs ?? 0) > JUST_SENT_MS) message.sentMs = undefined
      }
    },
    size: () => kept.size,
    dropped: () => dropped,
  }
}
