import type { Clock, Timer } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { DirectoryEntry } from '../../devices/index.ts'
import type { LatestUpdate } from '../messages/latest-update.ts'
import { type StoredRun, toRun } from '../messages/message-key.ts'
import { decodeRows } from '../messages/row-binary.ts'
import type { ReadingMessage } from '../messages/sample.ts'
import type { GatewayClocks } from '../quality/gateway-clocks.ts'
import { decodeReplicaMessage } from './replica-messages.ts'
import type { ReplicaSender } from './replica-sender.ts'

export interface ReplicaReceiverOptions {
  /** Reads the reading messages that are done since an instant (Unix ms). */
  readonly readStored: (since: number, take: (run: StoredRun) => void) => Promise<void>
  /** Reads the frame messages that are durable since an instant (Unix ms). */
  readonly readStoredFrames: (since: number, take: (run: StoredRun) => void) => Promise<void>
  /** Reads the newest live values that arrived since an instant, measured since another (Unix ms). */
  readonly readLatest: (
    range: { readonly since: number; readonly receivedSince: number },
    take: (update: LatestUpdate) => void,
  ) => Promise<void>
  readonly findDevice: (id: number) => DirectoryEntry | undefined
  readonly sender: Pick<ReplicaSender, 'sendClocks' | 'requestClocks' | 'sendAlive'>
  readonly clocks: Pick<GatewayClocks, 'learn' | 'listJudged'>
  /** Applies readings that another replica stored. */
  readonly applyReadings: (messages: readonly ReadingMessage[]) => void
  /** Applies newest values from the store. */
  readonly applyLatest: (update: LatestUpdate) => void
  /** Notes reading messages that are done: stored by another replica, refused by it, or found in the store. */
  readonly recordDone: (run: StoredRun) => void
  /** Notes frame messages that are durable. */
  readonly recordFrames: (run: StoredRun) => void
  /**
   * Since when (Unix ms) messages may be stored of which no replica reported, because it was killed in between; undefined
   * if nothing suggests that.
   */
  readonly takeDueGaps: () => readonly (number | undefined)[]
  readonly clock: Clock
  readonly log: Log
}

/**
 * Applies what other replicas report, so that all of them know the same messages, newest values and gateway clocks.
 * Reports that were lost on the way are read from the store.
 */
export interface ReplicaReceiver {
  receive(body: Uint8Array): void
  /** Reports since an instant (Unix ms) may be lost; default since the last one that arrived. They are read soon. */
  recordGap(since?: number): void
  /** From now on shows the others every second that this server lives, and checks whether reports are missing that nobody will repeat. */
  watch(): void
  close(): void
}

/** Longest time from the arrival of a message until the other replicas know that it is stored. */
const MARGIN_MS = 120_000
/** Greatest age of a live reading at its arrival. */
const OLDEST_MS = 86_400_000
const PAUSE_MS = 500
const RETRY_MS = 2_000
const WATCH_MS = 1_000

export function createReplicaReceiver(options: ReplicaReceiverOptions): ReplicaReceiver {
  const { sender, clock, log } = options
  let timer: Timer | undefined
  let watchTimer: Timer | undefined
  let reading: Promise<void> | undefined
  /** Time of the last report or the last read of the store. Everything before is known, except since `lostSince`. */
  let knownUntil = clock.now()
  let lostSince = Number.POSITIVE_INFINITY
  /** Whether reports about clocks may be lost: the other replicas are queried before the next read of the store. */
  let areClocksLost = false

  function requestClocks(): void {
    if (areClocksLost) sender.requestClocks()
    areClocksLost = false
  }

  async function readLost(): Promise<void> {
    requestClocks()
    const startedAt = clock.now()
    const lost = lostSince
    lostSince = Number.POSITIVE_INFINITY
    try {
      const since = lost - MARGIN_MS
      await options.readStored(since, options.recordDone)
      await options.readStoredFrames(since, options.recordFrames)
      await options.readLatest({ receivedSince: since, since: since - OLDEST_MS }, options.applyLatest)
      knownUntil = Math.max(knownUntil, startedAt)
    } catch (error) {
      lostSince = Math.min(lostSince, lost)
      throw error
    }
  }

  function plan(delayMs: number): void {
    timer ??= clock.setTimeout(() => {
      timer = undefined
      if (reading) return plan(PAUSE_MS)
      reading = readLost()
        .catch((error: unknown) => {
          log.warn({ err: error }, 'cannot read what other replicas stored, retrying')
          plan(RETRY_MS)
        })
        .finally(() => {
          reading = undefined
        })
    }, delayMs)
  }

  function watch(): void {
    sender.sendAlive()
    const gaps = options.takeDueGaps().filter((since) => since !== undefined)
    if (gaps.length > 0) {
      lostSince = Math.min(lostSince, ...gaps)
      plan(PAUSE_MS)
    }
    watchTimer = clock.setTimeout(watch, WATCH_MS)
  }

  function receiveReadings(rows: Uint8Array): void {
    const messages = decodeRows(rows, options.findDevice)
    if (!messages) {
      log.warn('another replica sent malformed readings')
      return
    }
    knownUntil = clock.now()
    options.applyReadings(messages)
  }

  return {
    receive(body) {
      const message = decodeReplicaMessage(body)
      if (message?.kind === 'readings') receiveReadings(message.rows)
      else if (message?.kind === 'clocks')
        for (const judgement of message.clocks) options.clocks.learn(judgement)
      else if (message?.kind === 'refused') options.recordDone(toRun(message.message))
      else if (message?.kind === 'frames') options.recordFrames(toRun(message.message))
      else if (message?.kind === 'which-clocks') sender.sendClocks(options.clocks.listJudged())
      else log.warn('another replica sent a message of an unknown kind')
    },
    recordGap(since = knownUntil) {
      lostSince = Math.min(lostSince, since)
      areClocksLost = true
      plan(PAUSE_MS)
    },
    watch,
    close() {
      timer?.cancel()
      watchTimer?.cancel()
    },
  }
}
