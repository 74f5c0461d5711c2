import type { ChildReading } from '@isotherm/contract/mqtt'

/** A telemetry message that is buffered until the server has stored it. */
interface BufferedMessage {
  readonly boot: number
  readonly seq: number
  readonly d: readonly ChildReading[]
  /** Time of the last sending, Unix ms; undefined before the first one. */
  sentMs: number | undefined
}

/** A delivered message that is not reported as stored within this time is sent again, ms. */
const ACK_TIMEOUT_MS = 120_000
/** A message that was sent within this time is not sent again on request, ms. */
const JUST_SENT_MS = 30_000

/**
 * Buffer of a concentrator for times without a connection: the newest `capacity` messages. Messages are erased once the
 * server reports them as stored; if the buffer is full, the oldest are dropped.
 */
export interface HistoryBuffer {
  readonly add: (message: Omit<BufferedMessage, 'sentMs'>, sentMs: number | undefined) => void
  readonly erase: (boot: number, seq: number) => void
  /** The next message to send as history, marked as sent at `nowMs`; undefined when none is due. */
  readonly takeNext: (nowMs: number) => BufferedMessage | undefined
  /** Schedules the buffered messages from..to (both included) of a boot again, except those sent just now. */
  readonly request: (boot: number, from: number, to: number, nowMs: number) => void
  readonly size: () => number
  readonly dropped: () => number
}

export function createHistoryBuffer(capacity: number): HistoryBuffer {
  const buffered = new Map<string, BufferedMessage>()
  const toKey = ({ boot, seq }: { readonly boot: number; readonly seq: number }) => `${boot}:${seq}`
  let dropped = 0
  // Without any report of stored messages, nothing is sent twice.
  let isWatermarkKnown = false
  const isDue = (message: BufferedMessage, nowMs: number): boolean =>
    message.sentMs === undefined || (isWatermarkKnown && nowMs - message.sentMs > ACK_TIMEOUT_MS)
  return {
    add: (message, sentMs) => {
      buffered.set(toKey(message), { ...message, sentMs })
      const [oldest] = buffered.keys()
      if (buffered.size <= capacity || oldest === undefined) return
      buffered.delete(oldest)
      dropped++
    },
    erase: (boot, seq) => {
      isWatermarkKnown = true
      for (const message of buffered.values()) {
        if (message.boot > boot) break
        if (message.boot === boot && message.seq <= seq) buffered.delete(toKey(message))
      }
    },
    takeNext: (nowMs) => {
      for (const message of buffered.values()) {
        if (!isDue(message, nowMs)) continue
        message.sentMs = nowMs
        return message
      }
      return undefined
    },
    request: (boot, from, to, nowMs) => {
      for (const message of buffered.values()) {
        if (message.boot !== boot || message.seq < from || message.seq > to) continue
        if (nowMs - (message.sentMs ?? 0) > JUST_SENT_MS) message.sentMs = undefined
      }
    },
    size: () => buffered.size,
    dropped: () => dropped,
  }
}
