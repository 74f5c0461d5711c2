import { toDownTopic } from '@isotherm/contract/mqtt'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import type { Clock } from '../../../platform/clock.ts'
import type { DirectoryEntry } from '../../devices/index.ts'
import type { FindingSink } from '../plausibility/plausibility.ts'
import { type ClockState, isSetSince, isStampedBy, judgeClock, MEASURED, RIGHT_MS } from './clock-offset.ts'

/** What a node's clock was judged to be, as replicas tell each other. */
export interface ClockEvent {
  readonly gatewayId: number
  readonly state: ClockState
  /** What is added to its instants, ms. */
  readonly correctionMs: number
  /** By how much it is off, ms. */
  readonly offsetMs: number
  /** When it was first judged so, Unix ms: of what is told of one clock the latest holds. */
  readonly judgedAt: number
}

/** What each node's clock is worth. */
export interface GatewayClocks {
  /**
   * Measures a live message by the instant its node stamped it with, and answers what to add to its instants, ms: 0
   * where they are to be believed.
   */
  measure(gateway: DirectoryEntry, sentAt: number, receivedAt: number): number
  /** What to add to the instants of what the node sends beside: back-fill, and what came before. */
  correctionOf(gatewayId: number): number
  /** By how much its clock is known to be off though its instants are let be, ms. */
  toleratedOffsetOf(gatewayId: number): number
  /** Tells a node that came the time. */
  greet(gateway: DirectoryEntry): void
  /** A node whose clock was told to be off by so many ms when the server last ran: it is until it shows otherwise. */
  recall(gatewayId: number, offsetMs: number | undefined): void
  /** Takes what another replica judged, so that all correct alike; not what was judged before what is known here. */
  learn(news: ClockEvent): void
  /** The clocks that are not right, and those that became so lately: somebody may know of the former alone. */
  listJudged(): readonly ClockEvent[]
}

export interface GatewayClocksOptions {
  readonly clock: Pick<Clock, 'now'>
  readonly sink: Pick<FindingSink, 'open' | 'close'>
  /** Sends at QoS 0: a lost one is made up for by the next. */
  readonly publish: (topic: string, payload: string) => Promise<void>
  /** Told when a clock is judged otherwise than before. */
  readonly changed?: (news: ClockEvent) => void
}

interface Measured {
  offsets: number[]
  /** When a late message counted last. */
  lateAt: number
  state: ClockState
  /** What is added to its instants; kept while the clock keeps its offset, so that readings stay in step. */
  correctionMs: number
  offsetMs: number
}

/**
 * Late messages that arrive closer together were held back together, while the server or the way to it was away, and
 * count as one: a backlog of minutes says nothing of a clock.
 */
const APART_MS = 30_000
/** For how long after it became right a clock is told to be so: whoever missed that for longer measures by now. */
const LATELY_MS = DAY_MS

const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= RIGHT_MS

/** Whether of two judgements the one holds: the later; of one moment the same for all who hear both. */
function outranks(one: ClockEvent, other: ClockEvent): boolean {
  if (one.judgedAt !== other.judgedAt) return one.judgedAt > other.judgedAt
  if (one.correctionMs !== other.correctionMs) return one.correctionMs < other.correctionMs
  return one.offsetMs < other.offsetMs
}

/**
 * Of a node whose clock is right only the number of its messages is kept, as good as so many offsets of nothing; the
 * first that is off begins a measurement.
 */
export function createGatewayClocks({ clock, sink, publish, changed }: GatewayClocksOptions): GatewayClocks {
  const right = new Map<number, number>()
  const measured = new Map<number, Measured>()
  /** Of the clocks that were ever judged otherwise: when they were last, by whichever replica. */
  const judgedAt = new Map<number, number>()
  const told = new Set<number>()
  const greetedAt = new Map<number, number>()

  function greet(gateway: DirectoryEntry, patienceMs = 0): void {
    const now = clock.now()
    if (now - (greetedAt.get(gateway.id) ?? 0) < patienceMs) return
    greetedAt.set(gateway.id, now)
    // The broker is away, or the node: it is told when it comes back.
    publish(toDownTopic(gateway.tenant, gateway.serial, 'time'), JSON.stringify({ now })).catch(() => {
      greetedAt.delete(gateway.id)
    })
  }

  function tell(gateway: DirectoryEntry, known: Measured, receivedAt: number): void {
    if (known.state === 'right') {
      const isSure = known.offsets.length >= MEASURED / 2
      if (isSure && told.delete(gateway.id)) sink.close(gateway.id, 'node-clock', receivedAt)
      return
    }
    if (told.has(gateway.id)) return
    told.add(gateway.id)
    sink.open(gateway.id, 'node-clock', receivedAt, { offsetS: Math.round(known.offsetMs / 1_000) })
  }

  function noteRight(gateway: DirectoryEntry, receivedAt: number): void {
    const count = Math.min(MEASURED, (right.get(gateway.id) ?? 0) + 1)
    right.set(gateway.id, count)
    if (count >= MEASURED / 2 && told.delete(gateway.id)) sink.close(gateway.id, 'node-clock', receivedAt)
  }

  function judge(known: Measured): void {
    const { state, offsetMs } = judgeClock(known.offsets)
    known.state = state
    known.offsetMs = offsetMs
    const isInStep = known.correctionMs !== 0 && isNear(offsetMs, known.correctionMs)
    if (state !== 'wrong') known.correctionMs = 0
    else if (!isInStep) known.correctionMs = Math.round(offsetMs)
  }

  /** Whether the offset counts. */
  function note(known: Measured, own: number, receivedAt: number): boolean {
    if (own > RIGHT_MS) {
      if (receivedAt - known.lateAt < APART_MS) return false
      known.lateAt = receivedAt
    }
    known.offsets.push(own)
    if (known.offsets.length > MEASURED) known.offsets.shift()
    judge(known)
    return true
  }

  function begin(gatewayId: number, offsets: number[]): Measured {
    const known: Measured = { offsets, lateAt: 0, state: 'right', correctionMs: 0, offsetMs: 0 }
    measured.set(gatewayId, known)
    right.delete(gatewayId)
    return known
  }

  /** As good as new: nothing of the clock it had says anything of the one it has. */
  function forget(gateway: DirectoryEntry, receivedAt: number): void {
    measured.delete(gateway.id)
    right.delete(gateway.id)
    noteRight(gateway, receivedAt)
  }

  function toEvent(gatewayId: number): ClockEvent {
    const { state = 'right', correctionMs = 0, offsetMs = 0 } = measured.get(gatewayId) ?? {}
    return { gatewayId, state, correctionMs, offsetMs, judgedAt: judgedAt.get(gatewayId) ?? 0 }
  }

  function measure(gateway: DirectoryEntry, sentAt: number, receivedAt: number): number {
    greet(gateway, DAY_MS)
    const own = receivedAt - sentAt
    let known = measured.get(gateway.id)
    if (!known && Math.abs(own) <= RIGHT_MS) {
      noteRight(gateway, receivedAt)
      return 0
    }
    known ??= begin(gateway.id, new Array<number>(right.get(gateway.id) ?? 0).fill(0))
    if (known.state === 'wrong' && isSetSince(own)) {
      forget(gateway, receivedAt)
      return 0
    }
    if (note(known, own, receivedAt)) tell(gateway, known, receivedAt)
    if (known.offsets.length >= MEASURED && known.offsets.every((offset) => Math.abs(offset) <= RIGHT_MS)) {
      measured.delete(gateway.id)
      right.set(gateway.id, MEASURED)
    }
    if (known.state !== 'wrong') return 0
    greet(gateway, HOUR_MS)
    return isStampedBy(own, known.correctionMs) ? known.correctionMs : 0
  }

  return {
    measure(gateway, sentAt, receivedAt) {
      const before = toEvent(gateway.id)
      const correctionMs = measure(gateway, sentAt, receivedAt)
      const after = toEvent(gateway.id)
      if (before.state !== after.state || before.correctionMs !== after.correctionMs) {
        // Later than what it takes the place of, also when that was judged by a machine whose clock is ahead.
        judgedAt.set(gateway.id, Math.max(receivedAt, before.judgedAt + 1))
        changed?.(toEvent(gateway.id))
      }
      return correctionMs
    },
    correctionOf: (gatewayId) => measured.get(gatewayId)?.correctionMs ?? 0,
    toleratedOffsetOf(gatewayId) {
      const known = measured.get(gatewayId)
      return known?.state === 'off' ? known.offsetMs : 0
    },
    greet: (gateway) => greet(gateway),
    recall(gatewayId, offsetMs) {
      told.add(gatewayId)
      if (offsetMs === undefined) return
      const known = begin(gatewayId, new Array<number>(MEASURED).fill(offsetMs))
      judge(known)
    },
    learn(news) {
      const { gatewayId, state, correctionMs, offsetMs } = news
      const own = judgedAt.has(gatewayId) ? toEvent(gatewayId) : undefined
      if (own && !outranks(news, own)) return
      judgedAt.set(gatewayId, news.judgedAt)
      if (state === 'right') {
        // Whoever sees it right for long enough says that it is over.
        measured.delete(gatewayId)
        right.delete(gatewayId)
        return
      }
      told.add(gatewayId)
      const known = measured.get(gatewayId)
      if (own && known?.state === 'wrong' && state === 'wrong' && isNear(own.correctionMs, correctionMs)) {
        // Found by both at once, each by messages of its own, which are as good as the other's.
        known.correctionMs = correctionMs
        return
      }
      Object.assign(begin(gatewayId, new Array<number>(MEASURED).fill(offsetMs)), {
        state,
        correctionMs,
        offsetMs,
      })
    },
    listJudged() {
      const since = clock.now() - LATELY_MS
      const known = [...new Set([...measured.keys(), ...judgedAt.keys()])].map(toEvent)
      return known.filter((news) => news.state !== 'right' || news.judgedAt >= since)
    },
  }
}
