import {
  createLineParser,
  type LineFormat,
  type LineFrame,
  type LineParser,
} from '@isotherm/codecs/stream/line-parser'

export type ExchangeOutcome =
  | { readonly kind: 'reply'; readonly frame: LineFrame; readonly afterMs: number }
  /** `hasNoise`: bytes arrived that belong to no frame, for example answers of several devices at once. */
  | { readonly kind: 'silence'; readonly hasNoise: boolean }
  | { readonly kind: 'closed' }

export interface ExchangeRequest {
  readonly bytes: Uint8Array
  readonly isReply: (frame: LineFrame) => boolean
  readonly timeOutMs: number
  /** Formats of the frames that may answer, besides those of the line. */
  readonly formats?: readonly LineFormat[]
  /** Whether the reply to an earlier request could be taken for the reply to this one. */
  readonly isConfusable?: (earlier: Uint8Array) => boolean
}

/** Requests and replies of one connection of a half-duplex line: one request at a time. */
export interface Exchanger {
  exchange(request: ExchangeRequest): Promise<ExchangeOutcome>
  /** Bytes arrived. */
  receive(bytes: Uint8Array): void
  /** The connection is gone; the exchange in progress ends. */
  close(): void
  /** Number of frames that answered no request: late replies and echoes. */
  readonly strayFrames: number
}

/**
 * Silence after which an incomplete frame is dropped, ms. Pieces of a frame arrive within a time slot of a mobile
 * network.
 */
const SILENCE_MS = 300
/** Pause after a time-out, ms: replies that arrive in it are dropped before the next request. */
const DRAIN_MS = 150
/** Maximum delay of a reply after its request, ms: the longest time-out. */
const LATE_MS = 10_000
/** Maximum number of received bytes that are searched for inserted packets. */
const MAX_ANSWERED = 1_024

export interface ExchangerOptions {
  readonly formats: readonly LineFormat[]
  readonly send: (bytes: Uint8Array) => void
  /** Packets that the other side inserts into the bytes of the bus, such as heartbeats. */
  readonly inserts?: readonly Uint8Array[]
  /** Called with a frame that answers no request and is no late reply. */
  readonly onStray?: (frame: LineFrame) => void
  readonly now?: () => number
}

/** Bytes without an inserted packet, wherever it is. */
function without(bytes: Buffer, insert: Uint8Array): Buffer {
  const text = bytes.toString('latin1').replaceAll(Buffer.from(insert).toString('latin1'), '')
  return Buffer.from(text, 'latin1')
}

export function createExchanger({
  formats,
  send,
  inserts = [],
  onStray,
  now = () => performance.now(),
}: ExchangerOptions): Exchanger {
  const createParser = (of: readonly LineFormat[]): LineParser =>
    createLineParser({ formats: of, direction: 'reply', silenceMs: SILENCE_MS })
  const own = { formats, parser: createParser(formats) }
  /** Finds the frames of what arrives now: that of the line, or a wider one for requests of other formats. */
  let current = own
  let wider = own
  let strayFrames = 0
  let isClosed = false
  let waiting:
    | { readonly isReply: ExchangeRequest['isReply']; readonly take: (frame: LineFrame) => void }
    | undefined
  let end: ((outcome: ExchangeOutcome) => void) | undefined
  let isDirty = false
  /** Timed-out requests whose reply may still arrive. */
  let owed: { readonly request: ExchangeRequest; readonly until: number }[] = []
  let owedChanged: () => void = () => undefined
  /** Bytes since the last request was sent. */
  let answered: Buffer = Buffer.alloc(0)

  /** Frames of the line still arrive during requests of other formats: late replies, and devices that report by themselves. */
  function findParser(more: readonly LineFormat[] = []): typeof own {
    if (more.every((format) => formats.includes(format))) return own
    // Modbus RTU has no start byte, so the formats of the line, which may contain it, are tried last.
    const all = [...new Set([...more, ...formats])]
    if (all.join() !== wider.formats.join()) wider = { formats: all, parser: createParser(all) }
    return wider
  }

  function dropExpired(): void {
    const at = now()
    owed = owed.filter(({ until }) => until > at)
  }

  function pass(frames: readonly LineFrame[]): void {
    if (frames.length > 0) dropExpired()
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

  /** Searches for the reply in the bytes without the inserted packets; the checksum of a frame decides. */
  function searchWithoutInserts(bytes: Uint8Array): void {
    answered = Buffer.concat([answered, bytes]).subarray(-MAX_ANSWERED)
    for (const insert of inserts) {
      if (waiting === undefined || answered.indexOf(insert) < 0) continue
      const cleaned = createParser(current.formats)
      const reply = cleaned.push(without(answered, insert), 0).find((frame) => waiting?.isReply(frame))
      if (reply !== undefined) waiting.take(reply)
    }
  }

  /** Whether all that arrived since the last request are frames and inserted packets. */
  function isClean(): boolean {
    if (inserts.length === 0) return false
    const cleaned = createParser(current.formats)
    cleaned.push(inserts.reduce(without, answered), 0)
    cleaned.tick(SILENCE_MS)
    return cleaned.skipped === 0
  }

  /** Waits until no late reply is expected that could be taken for the reply to a request. */
  async function waitForLate(isConfusable: (earlier: Uint8Array) => boolean): Promise<void> {
    while (!isClosed) {
      dropExpired()
      const until = owed.reduce(
        (latest, each) => (isConfusable(each.request.bytes) ? Math.max(latest, each.until) : latest),
        0,
      )
      if (until === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      owedChanged = resolve
      const timer = setTimeout(resolve, until - now())
      await promise
      clearTimeout(timer)
    }
  }

  async function drain(): Promise<void> {
    isDirty = false
    await new Promise((resolve) => setTimeout(resolve, DRAIN_MS))
    pass(current.parser.tick(now() + SILENCE_MS))
  }

  return {
    async exchange(request) {
      const { bytes, isReply, timeOutMs, isConfusable } = request
      current = findParser(request.formats)
      if (isDirty) await drain()
      if (isConfusable !== undefined && owed.length > 0) await waitForLate(isConfusable)
      if (isClosed) return { kind: 'closed' }
      const from = now()
      const skippedBefore = current.parser.skipped
      const { promise, resolve } = Promise.withResolvers<ExchangeOutcome>()
      const timer = setTimeout(() => {
        // The reply may follow a false frame start that still waits for more bytes.
        pass(current.parser.tick(now() + SILENCE_MS))
        resolve({ kind: 'silence', hasNoise: current.parser.skipped > skippedBefore && !isClean() })
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
      dropExpired()
      if (isDirty) owed.push({ request, until: from + LATE_MS })
      return outcome
    },
    receive(bytes) {
      pass(current.parser.push(bytes, now()))
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
