import {
  createLineParser,
  type LineFormat,
  type LineFrame,
  type LineParser,
} from '@isotherm/codecs/stream/line-parser'

export type ExchangeOutcome =
  | { readonly kind: 'reply'; readonly frame: LineFrame; readonly afterMs: number }
  | { readonly kind: 'silence' }
  | { readonly kind: 'closed' }

export interface ExchangeRequest {
  readonly bytes: Uint8Array
  readonly isReply: (frame: LineFrame) => boolean
  readonly timeOutMs: number
  /** Whether the reply to an earlier request would pass for the reply to this one. */
  readonly isConfusable?: (earlier: Uint8Array) => boolean
}

/** Requests and replies of one connection of a half-duplex line: one request at a time. */
export interface Exchanger {
  exchange(request: ExchangeRequest): Promise<ExchangeOutcome>
  /** Bytes arrived. */
  receive(bytes: Uint8Array): void
  /** The connection is gone; the exchange in progress ends. */
  close(): void
  /** Frames that answered nothing: late replies and echoes. */
  readonly strayFrames: number
}

/** Silence after which an unfinished frame is given up, ms. Pieces of a frame arrive within a time slot of a mobile network. */
const SILENCE_MS = 300
/** After a silence the line may still answer: what arrives so late is thrown away before the next request, ms. */
const DRAIN_MS = 150
/** A reply does not come later than this after its request, ms: the longest time-out. */
const LATE_MS = 10_000
/** Bytes of an answer that are searched for inserted packets. */
const MAX_ANSWERED = 1_024

export interface ExchangerOptions {
  readonly formats: readonly LineFormat[]
  readonly send: (bytes: Uint8Array) => void
  /** Packets that the other side inserts into the bytes of the bus, such as heartbeats. */
  readonly inserts?: readonly Uint8Array[]
  /** A frame that answers nothing and is no late reply. */
  readonly onStray?: (frame: LineFrame) => void
  readonly now?: () => number
}

export function createExchanger({
  formats,
  send,
  inserts = [],
  onStray,
  now = () => performance.now(),
}: ExchangerOptions): Exchanger {
  const parser: LineParser = createLineParser({ formats, direction: 'reply', silenceMs: SILENCE_MS })
  let strayFrames = 0
  let isClosed = false
  let waiting:
    | { readonly isReply: ExchangeRequest['isReply']; readonly take: (frame: LineFrame) => void }
    | undefined
  let end: ((outcome: ExchangeOutcome) => void) | undefined
  let isDirty = false
  /** Requests whose reply did not come in time and may still come. */
  let owed: { readonly request: ExchangeRequest; readonly until: number }[] = []
  let owedChanged: () => void = () => undefined
  /** What arrived since the request was sent. */
  let answered: Buffer = Buffer.alloc(0)

  function pass(frames: readonly LineFrame[]): void {
    for (const frame of frames) {
      if (waiting?.isReply(frame)) {
        waiting.take(frame)
        continue
      }
      strayFrames++
      const late = owed.findIndex(({ request }) => request.isReply(frame))
      if (late < 0) {
        onStray?.(frame)
        continue
      }
      owed.splice(late, 1)
      owedChanged()
    }
  }

  /** The reply may be whole without a packet that was inserted into it; its checksum decides. */
  function searchWithoutInserts(bytes: Uint8Array): void {
    answered = Buffer.concat([answered, bytes]).subarray(-MAX_ANSWERED)
    for (const insert of inserts) {
      if (waiting === undefined || answered.indexOf(insert) < 0) continue
      const text = answered.toString('latin1').replaceAll(Buffer.from(insert).toString('latin1'), '')
      const cleaned = createLineParser({ formats, direction: 'reply' })
      const reply = cleaned.push(Buffer.from(text, 'latin1'), 0).find((frame) => waiting?.isReply(frame))
      if (reply !== undefined) waiting.take(reply)
    }
  }

  /** Waits for late replies that would pass for the reply to a request, until they have come or cannot come any more. */
  async function waitForLate(isConfusable: (earlier: Uint8Array) => boolean): Promise<void> {
    while (!isClosed) {
      const at = now()
      owed = owed.filter(({ until }) => until > at)
      const until = owed.reduce(
        (latest, each) => (isConfusable(each.request.bytes) ? Math.max(latest, each.until) : latest),
        0,
      )
      if (until === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      owedChanged = resolve
      const timer = setTimeout(resolve, until - at)
      await promise
      clearTimeout(timer)
    }
  }

  async function drain(): Promise<void> {
    isDirty = false
    await new Promise((resolve) => setTimeout(resolve, DRAIN_MS))
    pass(parser.tick(now() + SILENCE_MS))
  }

  return {
    async exchange(request) {
      const { bytes, isReply, timeOutMs, isConfusable } = request
      if (isDirty) await drain()
      if (isConfusable !== undefined && owed.length > 0) await waitForLate(isConfusable)
      if (isClosed) return { kind: 'closed' }
      const from = now()
      const { promise, resolve } = Promise.withResolvers<ExchangeOutcome>()
      const timer = setTimeout(() => {
        // The reply may stand behind a false start that still waits for its rest.
        pass(parser.tick(now() + SILENCE_MS))
        resolve({ kind: 'silence' })
      }, timeOutMs)
      waiting = {
        isReply,
        take(frame) {
          waiting = undefined
          resolve({ kind: 'reply', frame, afterMs: now() - from })
        },
      }
      end = resolve
      answered = Buffer.alloc(0)
      send(bytes)
      const outcome = await promise
      clearTimeout(timer)
      waiting = undefined
      end = undefined
      isDirty = outcome.kind === 'silence'
      if (isDirty) owed.push({ request, until: from + LATE_MS })
      return outcome
    },
    receive(bytes) {
      pass(parser.push(bytes, now()))
      if (waiting !== undefined && inserts.length > 0) searchWithoutInserts(bytes)
    },
    close() {
      isClosed = true
      owedChanged()
      end?.({ kind: 'closed' })
    },
    get strayFrames() {
      return strayFrames
    },
  }
}
