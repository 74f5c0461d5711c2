import type { ChildReading, HistoryRequest } from '@isotherm/contract/mqtt'
import { MAX_CHILDREN } from '@isotherm/contract/mqtt'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@isotherm/kernel/durations'
import { LIVE_MS, type Outbox, type OutMessage } from '../store/outbox.ts'
import type { PollMark } from '../store/poll-marks.ts'

export interface SenderOptions {
  readonly outbox: Outbox
  readonly now: () => number
  /** A monotonic clock, ms, for pauses and time-outs. */
  readonly monotonic?: () => number
  /** Publishes at QoS 1; resolves when the broker has acknowledged. May stay pending while the connection is away. */
  readonly publish: (channel: 'telemetry' | 'history', payload: string) => Promise<void>
  readonly isConnected: () => boolean
  /**
   * Pause between a connection and the first history, ms. It differs by gateway, because after an outage all gateways
   * reconnect at once.
   */
  readonly historyDelayMs: () => number
  readonly onProblem: (text: string) => void
}

/** Sends what is stored and erases what the server has acknowledged. */
export interface Sender {
  /** Stores readings soon and sends them. */
  add(children: readonly ChildReading[], mark?: PollMark): void
  /** Resolves when all readings that were added are on the disk. Stays pending while the disk is full. */
  stored(): Promise<void>
  /** Call it when the connection is open. */
  connected(): void
  /** The server has stored all messages of a boot up to `seq`. */
  acknowledge(boot: number, seq: number): void
  /** The server requests missing messages. */
  request(args: HistoryRequest['args']): void
  /** Stores the added readings. */
  close(): void
}

/** Interval at which added readings are stored and sent. */
const CYCLE_MS = 100
/** Pause before a commit that a caller waits for, so that it stores several readings. */
const SOON_MS = 10
/** Time that readings wait for others, to share a message. */
const GATHER_MS = 500
/** Maximum number of messages that the server has not acknowledged; it acknowledges once per second. */
const MAX_ON_WAY = 256
/** Messages of history per second. */
const HISTORY_PER_S = 20
/** A message that the broker accepted but the server did not acknowledge is sent again after this time. */
const RESEND_MS = 30 * SECOND_MS
/**
 * Time without any acknowledgement after which a new numbering starts: the server probably does not know the start of
 * the current one.
 */
const STUCK_MS = 10 * MINUTE_MS
/** Maximum age of a numbering: a server without a snapshot only reads the numbers of the last 48 hours when it starts. */
const RENEW_MS = 12 * HOUR_MS

/** When a message on its way was published; undefined while the broker has not acknowledged it. */
interface Sent {
  takenAt: number | undefined
}

export function createSender(options: SenderOptions): Sender {
  const { outbox, now, monotonic = () => performance.now() } = options
  const sent = new Map<number, Sent>()
  let isRestored = false
  let lastNumberedAt = Number.NEGATIVE_INFINITY
  let historyFrom = Number.POSITIVE_INFINITY
  let historyTokens = 0
  let lastTickAt = monotonic()
  let progressAt = monotonic()
  let lastProblem = ''
  /** Highest number that the server has acknowledged and that is not erased yet; `seq` is -1 without one. */
  let acknowledged = { boot: 0, seq: -1 }
  const waiters: (() => void)[] = []
  let soon: NodeJS.Timeout | undefined

  function publish(message: OutMessage): void {
    const state: Sent = { takenAt: undefined }
    sent.set(message.seq, state)
    const isLive = now() - message.at <= LIVE_MS
    const head = `{"v":1,"boot":${message.boot},"seq":${message.seq},"ts":${now()},"d":[`
    options.publish(isLive ? 'telemetry' : 'history', `${head}${message.children}]}`).then(
      () => {
        state.takenAt = monotonic()
      },
      () => {
        // Sent again with the next connection.
        if (sent.get(message.seq) === state) sent.delete(message.seq)
      },
    )
  }

  /** Number of messages that may be numbered now. Messages that are not full wait for more readings. */
  function countLive(at: number): number {
    const free = MAX_ON_WAY - sent.size
    const full = Math.floor(outbox.waiting / MAX_CHILDREN)
    const isTime = at - lastNumberedAt >= GATHER_MS
    return Math.max(0, Math.min(free, isTime ? full + 1 : full))
  }

  function countHistory(at: number): number {
    if (at < historyFrom) return 0
    return Math.max(0, Math.min(Math.floor(historyTokens), MAX_ON_WAY - sent.size))
  }

  function renewIfOld(): void {
    // The start is in the future: the clock was ahead at that time.
    if (Math.abs(now() - outbox.bootStartedAt) < RENEW_MS || outbox.unacknowledged().length > 0) return
    outbox.renew()
  }

  /** Sends messages again that the broker accepted long ago; the server then repeats its acknowledgement. */
  function resend(at: number): void {
    const messages = outbox.unacknowledged()
    if (messages.length === 0) {
      progressAt = at
      return
    }
    if (at - progressAt > STUCK_MS) {
      options.onProblem('the server does not acknowledge; the messages are numbered again')
      progressAt = at
      outbox.renew()
      sent.clear()
      for (const message of outbox.unacknowledged()) publish(message)
      return
    }
    for (const message of messages) {
      const state = sent.get(message.seq)
      if (state === undefined || (state.takenAt !== undefined && at - state.takenAt > RESEND_MS))
        publish(message)
    }
  }

  function reportOnce(problem: string): void {
    if (problem !== lastProblem) options.onProblem(problem)
    lastProblem = problem
  }

  const reportFailure = (error: unknown): void =>
    reportOnce(`the store cannot be written: ${error instanceof Error ? error.message : error}`)

  function store(limits: { readonly live: number; readonly history: number }): readonly OutMessage[] {
    try {
      const messages = outbox.commit(limits)
      if (!outbox.isAnyInMemory) for (const resolve of waiters.splice(0)) resolve()
      if (outbox.problem === undefined) lastProblem = ''
      else reportOnce(`readings wait in memory, because they cannot be stored: ${outbox.problem}`)
      return messages
    } catch (error) {
      reportFailure(error)
      return []
    }
  }

  /** Erases acknowledged messages; if a full disk refuses that, it is tried again later. */
  function erase(): void {
    const { boot, seq } = acknowledged
    const count = outbox.acknowledge(boot, seq)
    acknowledged.seq = -1
    if (count === 0) return
    progressAt = monotonic()
    for (const number of sent.keys()) if (number <= seq) sent.delete(number)
  }

  function tick(): void {
    try {
      if (acknowledged.seq >= 0) erase()
      work()
    } catch (error) {
      reportFailure(error)
    }
  }

  function work(): void {
    const at = monotonic()
    const elapsedMs = Math.max(0, at - lastTickAt)
    lastTickAt = at
    if (!options.isConnected()) {
      progressAt = at
      store({ live: 0, history: 0 })
      return
    }
    historyTokens = Math.min(HISTORY_PER_S, historyTokens + (elapsedMs * HISTORY_PER_S) / SECOND_MS)
    renewIfOld()
    const messages = store({ live: countLive(at), history: countHistory(at) })
    if (messages.length > 0) lastNumberedAt = at
    for (const message of messages) {
      if (now() - message.at > LIVE_MS) historyTokens--
      publish(message)
    }
    if (isRestored) resend(at)
  }

  const timer = setInterval(tick, CYCLE_MS)
  return {
    add: outbox.add,
    async stored() {
      if (!outbox.isAnyInMemory) return
      const { promise, resolve } = Promise.withResolvers<void>()
      waiters.push(resolve)
      soon ??= setTimeout(() => {
        soon = undefined
        store({ live: 0, history: 0 })
      }, SOON_MS)
      await promise
    },
    connected() {
      historyFrom = monotonic() + options.historyDelayMs()
      progressAt = monotonic()
      if (isRestored) return
      // Messages that an earlier process numbered: its client may not have sent them.
      isRestored = true
      for (const message of outbox.unacknowledged()) publish(message)
    },
    acknowledge(boot, seq) {
      acknowledged = { boot, seq: boot === acknowledged.boot ? Math.max(seq, acknowledged.seq) : seq }
      try {
        erase()
      } catch (error) {
        reportFailure(error)
      }
    },
    request({ boot, from, to }) {
      if (boot !== outbox.boot) return
      for (const [seq, state] of sent)
        if (seq >= from && seq <= to && state.takenAt !== undefined) state.takenAt = Number.NEGATIVE_INFINITY
    },
    close() {
      clearInterval(timer)
      clearTimeout(soon)
      store({ live: 0, history: 0 })
    },
  }
}
