import { DAY_MS } from '@isotherm/kernel/durations'
import type { Clock, Timer } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { DirectoryEntry } from '../../devices/index.ts'
import { type StoredMessage, type StoredRun, toRun } from '../messages/message-key.ts'
import { decodeRows, encodeRows } from '../messages/row-binary.ts'
import type { ReadingMessage } from '../messages/sample.ts'
import type { ClockNews, NodeClocks } from '../quality/gateway-clocks.ts'
import type { ReadingStore } from '../store/reading-store.ts'
import { decodeNews, encodeNews } from './replica-messages.ts'

export interface ReplicasNeeds {
  readonly store: Pick<ReadingStore, 'readStored' | 'readLatest'>
  /** Takes that messages are stored, as the store has them. */
  readonly takeStored: (run: StoredRun) => void
  readonly findDevice: (id: number) => DirectoryEntry | undefined
  /** Sends to the other replicas; undefined where there can be none. */
  readonly tell: ((body: Uint8Array) => void) | undefined
  /** Takes that another replica refused a message as a whole. */
  readonly takeRefused: (message: StoredMessage) => void
  /** Takes that frames of messages are durable, as another replica said or the store has them. */
  readonly takeFrames: (run: StoredRun) => void
  /** Messages of frames that are stored, as ReadingStore tells those of readings. */
  readonly readStoredFrames: ReadingStore['readStored']
  readonly clocks: Pick<NodeClocks, 'learn' | 'listJudged'>
  /** Takes what another replica stored. */
  readonly take: (messages: readonly ReadingMessage[]) => void
  /** Takes newest values read from the store. */
  readonly takeLatest: (update: Parameters<Parameters<ReadingStore['readLatest']>[1]>[0]) => void
  readonly clock: Clock
  readonly log: Log
}

/** Keeps what replicas know in memory alike: which messages are stored, the newest values, and nodes' clocks. */
export interface Replicas {
  /** Tells the others what this one stored. */
  tell(messages: readonly ReadingMessage[]): void
  /** Tells the others what nodes' clocks were judged to be. */
  tellClocks(clocks: readonly ClockNews[]): void
  /** Tells the others that nothing of a message is kept. */
  tellRefused(message: StoredMessage): void
  /** Tells the others that the frames of a message are durable. */
  tellFrames(message: StoredMessage): void
  hear(body: Uint8Array): void
  /** Something that was stored since may not have been heard: it is read from the store, soon. */
  missed(since?: number): void
  close(): void
}

/** Rows of one packet: some 180 kB. */
const ROWS_PER_PACKET = 4_000
const CLOCKS_PER_PACKET = 1_000
/** What a message may take from its arrival until others hear that it is stored. */
const MARGIN_MS = 120_000
/** How long before its arrival a live reading may have been measured. */
const OLDEST_MS = DAY_MS
const PAUSE_MS = 500
const RETRY_MS = 2_000

/** Messages in packets of so many rows, at least one in each. */
function* toPackets(messages: readonly ReadingMessage[]): Generator<readonly ReadingMessage[]> {
  let packet: ReadingMessage[] = []
  let rows = 0
  for (const message of messages) {
    if (packet.length > 0 && rows + message.rows > ROWS_PER_PACKET) {
      yield packet
      packet = []
      rows = 0
    }
    packet.push(message)
    rows += message.rows
  }
  if (packet.length > 0) yield packet
}

export function createReplicas(needs: ReplicasNeeds): Replicas {
  const { store, clock, log } = needs
  let timer: Timer | undefined
  let reading: Promise<void> | undefined
  /** When somebody was last heard, or the store read: what came before is known but for what is owed. */
  let knownUntil = clock.now()
  let owedSince = Number.POSITIVE_INFINITY
  /** Whether clocks were told that may not have been heard: the others are asked with the next reading. */
  let owesClocks = false

  function askForClocks(): void {
    if (owesClocks) needs.tell?.(encodeNews({ kind: 'which-clocks' }))
    owesClocks = false
  }

  async function readMissed(): Promise<void> {
    askForClocks()
    const began = clock.now()
    const owed = owedSince
    owedSince = Number.POSITIVE_INFINITY
    try {
      const since = owed - MARGIN_MS
      await store.readStored(since, needs.takeStored)
      await needs.readStoredFrames(since, needs.takeFrames)
      await store.readLatest({ receivedSince: since, since: since - OLDEST_MS }, needs.takeLatest)
      knownUntil = Math.max(knownUntil, began)
    } catch (error) {
      owedSince = Math.min(owedSince, owed)
      throw error
    }
  }

  function plan(delayMs: number): void {
    timer ??= clock.setTimeout(() => {
      timer = undefined
      if (reading) return plan(PAUSE_MS)
      reading = readMissed()
        .catch((error: unknown) => {
          log.warn({ err: error }, 'what other replicas stored is read again')
          plan(RETRY_MS)
        })
        .finally(() => {
          reading = undefined
        })
    }, delayMs)
  }

  function takeReadings(rows: Uint8Array): void {
    const messages = decodeRows(rows, needs.findDevice)
    if (!messages) {
      log.warn('another replica told something that is no readings')
      return
    }
    knownUntil = clock.now()
    needs.take(messages)
  }

  function tellClocks(clocks: readonly ClockNews[]): void {
    for (let start = 0; start < clocks.length; start += CLOCKS_PER_PACKET)
      needs.tell?.(encodeNews({ kind: 'clocks', clocks: clocks.slice(start, start + CLOCKS_PER_PACKET) }))
  }

  return {
    tell(messages) {
      if (!needs.tell) return
      for (const packet of toPackets(messages))
        needs.tell(encodeNews({ kind: 'readings', rows: encodeRows(packet) }))
    },
    tellClocks,
    tellRefused: (message) => needs.tell?.(encodeNews({ kind: 'refused', message })),
    tellFrames: (message) => needs.tell?.(encodeNews({ kind: 'frames', message })),
    hear(body) {
      const news = decodeNews(body)
      if (news?.kind === 'readings') takeReadings(news.rows)
      else if (news?.kind === 'clocks') for (const clock of news.clocks) needs.clocks.learn(clock)
      else if (news?.kind === 'refused') needs.takeRefused(news.message)
      else if (news?.kind === 'frames') needs.takeFrames(toRun(news.message))
      else if (news?.kind === 'which-clocks') tellClocks(needs.clocks.listJudged())
      else log.warn('another replica told something nobody knows')
    },
    missed(since = knownUntil) {
      owedSince = Math.min(owedSince, since)
      owesClocks = true
      plan(PAUSE_MS)
    },
    close: () => timer?.cancel(),
  }
}
