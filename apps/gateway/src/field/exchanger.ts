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

export function createExchanger(
  formats: readonly LineFormat[],
  send: (bytes: Uint8Array) => void,
  now: () => number = () => performance.now(),
): Exchanger {
  const parser: LineParser = createLineParser({ formats, direction: 'reply', silenceMs: SILENCE_MS })
  let strayFrames = 0
  let isClosed = false
  let waiting:
    | { readonly isReply: ExchangeRequest['isReply']; readonly take: (frame: LineFrame) => void }
    | undefined
  let end: ((outcome: ExchangeOutcome) => void) | undefined
  let isDirty = false

  function pass(frames: readonly LineFrame[]): void {
    for (const frame of frames) {
      if (waiting?.isReply(frame)) waiting.take(frame)
      else strayFrames++
    }
  }

  async function drain(): Promise<void> {
    isDirty = false
    await new Promise((resolve) => setTimeout(resolve, DRAIN_MS))
    pass(parser.tick(now() + SILENCE_MS))
  }

  return {
    async exchange({ bytes, isReply, timeOutMs }) {
      if (isDirty) await drain()
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
      send(bytes)
      const outcome = await promise
      clearTimeout(timer)
      waiting = undefined
      end = undefined
      isDirty = outcome.kind === 'silence'
      return outcome
    },
    receive(bytes) {
      pass(parser.push(bytes, now()))
    },
    close() {
      isClosed = true
      end?.({ kind: 'closed' })
    },
    get strayFrames() {
      return strayFrames
    },
  }
}
