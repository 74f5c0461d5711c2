import { toDownTopic } from '@isotherm/contract/mqtt'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import type { Clock } from '../../../platform/clock.ts'
import type { SteadyClock } from '../../../platform/tasks/steady-clock.ts'
import type { DirectoryEntry } from '../../devices/index.ts'
import type { FindingSink } from '../plausibility/plausibility.ts'
import { type ClockState, isSetSince, isStampedBy, judgeClock, MEASURED, RIGHT_MS } from './clock-offset.ts'

/** Judgement of a gateway's clock, as replicas send it to each other. */
export interface ClockEvent {
  readonly gatewayId: number
  readonly state: ClockState
  /** Correction that is added to its instants, ms. */
  readonly correctionMs: number
  /** Offset of the clock, ms. */
  readonly offsetMs: number
  /** Time of the first such judgement, Unix ms. Of several judgements of one clock the latest applies. */
  readonly judgedAt: number
}

/** Judges the clocks of gateways and corrects the instants of their messages. */
export interface GatewayClocks {
  /**
   * Measures a live message by the instant of its gateway's clock. Returns the correction of its instants, ms; 0 if
   * they are right.
   */
  measure(gateway: DirectoryEntry, sentAt: number, receivedAt: number): number
  /**
   * When a message arrived, Unix ms. If the clock of this machine was set within the last day, and the gateway's clock agrees with
   * the time from before, the answer is in that time.
   */
  arrivalOf(sentAt: number, receivedAt: number): number
  /** Correction of other messages of the gateway, ms: back-fill and repeated messages. */
  correctionOf(gatewayId: number): number
  /** Offset of a clock that is off but not corrected, ms. */
  toleratedOffsetOf(gatewayId: number): number
  /** Sends the time to a gateway that connected. */
  greet(gateway: DirectoryEntry): void
  /**
   * Restores the judgement before the server restarted: the clock was off by `offsetMs`. It applies until new messages
   * show otherwise.
   */
  restore(gatewayId: number, offsetMs: number | undefined): void
  /** Applies the judgement of another replica, so that all apply the same correction. Ignored if the own judgement is newer. */
  learn(event: ClockEvent): void
  /**
   * Clocks that are not right, and clocks that became right recently: another replica may only know the former
   * judgement.
   */
  listJudged(): readonly ClockEvent[]
}

export interface GatewayClocksOptions {
  readonly clock: Pick<Clock, 'now' | 'elapsed'>
  readonly steady: Pick<SteadyClock, 'shiftMs'>
  readonly sink: Pick<FindingSink, 'open' | 'close'>
  /** Sends at QoS 0: the next message replaces a lost one. */
  readonly publish: (topic: string, payload: string) => Promise<void>
  /** Called when the judgement of a clock changes. */
  readonly changed?: (event: ClockEvent) => void
}

interface Measured {
  offsets: number[]
  /** When a late message was last counted. */
  lateAt: number
  state: ClockState
  /**
   * Correction that is added to its instants. It stays the same while the offset does, so that the intervals of
   * readings stay regular.
   */
  correctionMs: number
  offsetMs: number
}

/**
 * Late messages within this time were delayed together, by the server or the connection, and count as one: a backlog of
 * minutes is no evidence of a wrong clock.
 */
const SAME_DELAY_MS = 30_000
/**
 * Time for which a right clock is still reported to replicas. A replica that missed it for longer has measured itself
 * by then.
 */
const RECENT_MS = DAY_MS

const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= RIGHT_MS

/**
 * Whether one judgement replaces the other: the later one does. For the same instant the order is arbitrary but the
 * same on all replicas.
 */
function outranks(one: ClockEvent, other: ClockEvent): boolean {
  if (one.judgedAt !== other.judgedAt) return one.judgedAt > other.judgedAt
  if (one.correctionMs !== other.correctionMs) return one.correctionMs < other.correctionMs
  return one.offsetMs < other.offsetMs
}

/**
 * For a right clock only the number of messages is stored, as if that many offsets were 0. The first offset beyond the
 * limit starts a measurement.
 */
export function createGatewayClocks({
  clock,
  steady,
  sink,
  publish,
  changed,
}: GatewayClocksOptions): GatewayClocks {
  const right = new Map<number, number>()
  const measured = new Map<number, Measured>()
  /** Time of the last judgement by any replica, of the clocks that were ever not right. */
  const judgedAt = new Map<number, number>()
  const reported = new Set<number>()
  const greetedAt = new Map<number, number>()

  function greet(gateway: DirectoryEntry, minPauseMs = 0): void {
    const elapsed = clock.elapsed()
    if (elapsed - (greetedAt.get(gateway.id) ?? Number.NEGATIVE_INFINITY) < minPauseMs) return
    greetedAt.set(gateway.id, elapsed)
    // The broker or the gateway is away. The gateway gets the time when it connects.
    publish(toDownTopic(gateway.tenant, gateway.serial, 'time'), JSON.stringify({ now: clock.now() })).catch(
      () => {
        greetedAt.delete(gateway.id)
      },
    )
  }

  function report(gateway: DirectoryEntry, known: Measured, receivedAt: number): void {
    if (known.state === 'right') {
      const isSure = known.offsets.length >= MEASURED / 2
      if (isSure && reported.delete(gateway.id)) sink.close(gateway.id, 'node-clock', receivedAt)
      return
    }
    if (reported.has(gateway.id)) return
    reported.add(gateway.id)
    sink.open(gateway.id, 'node-clock', receivedAt, { offsetS: Math.round(known.offsetMs / 1_000) })
  }

  function recordRight(gateway: DirectoryEntry, receivedAt: number): void {
    const count = Math.min(MEASURED, (right.get(gateway.id) ?? 0) + 1)
    right.set(gateway.id, count)
    if (count >= MEASURED / 2 && reported.delete(gateway.id)) sink.close(gateway.id, 'node-clock', receivedAt)
  }

  function judge(known: Measured): void {
    const { state, offsetMs } = judgeClock(known.offsets)
    known.state = state
    known.offsetMs = offsetMs
    const isInStep = known.correctionMs !== 0 && isNear(offsetMs, known.correctionMs)
    if (state !== 'wrong') known.correctionMs = 0
    else if (!isInStep) known.correctionMs = Math.round(offsetMs)
  }

  /** Adds an offset; returns whether it counts. */
  function note(known: Measured, offsetMs: number, receivedAt: number): boolean {
    if (offsetMs > RIGHT_MS) {
      if (receivedAt - known.lateAt < SAME_DELAY_MS) return false
      known.lateAt = receivedAt
    }
    known.offsets.push(offsetMs)
    if (known.offsets.length > MEASURED) known.offsets.shift()
    judge(known)
    return true
  }

  function start(gatewayId: number, offsets: number[]): Measured {
    const known: Measured = { offsets, lateAt: 0, state: 'right', correctionMs: 0, offsetMs: 0 }
    measured.set(gatewayId, known)
    right.delete(gatewayId)
    return known
  }

  /** Forgets the measurements: they do not apply to the clock after it was set. */
  function forget(gateway: DirectoryEntry, receivedAt: number): void {
    measured.delete(gateway.id)
    right.delete(gateway.id)
    recordRight(gateway, receivedAt)
  }

  function toEvent(gatewayId: number): ClockEvent {
    const { state = 'right', correctionMs = 0, offsetMs = 0 } = measured.get(gatewayId) ?? {}
    return { gatewayId, state, correctionMs, offsetMs, judgedAt: judgedAt.get(gatewayId) ?? 0 }
  }

  /**
   * Whether a gateway's clock agrees with this machine's clock from before it was set. Then nobody knows which of the two is right,
   * and the gateway is not judged.
   */
  function isRightBefore(offsetMs: number): boolean {
    const shiftMs = steady.shiftMs()
    return shiftMs !== 0 && Math.abs(offsetMs + shiftMs) <= RIGHT_MS
  }

  function measure(gateway: DirectoryEntry, sentAt: number, receivedAt: number): number {
    const offsetMs = receivedAt - sentAt
    if (Math.abs(offsetMs) > RIGHT_MS && isRightBefore(offsetMs)) return 0
    greet(gateway, DAY_MS)
    let known = measured.get(gateway.id)
    if (!known && Math.abs(offsetMs) <= RIGHT_MS) {
      recordRight(gateway, receivedAt)
      return 0
    }
    known ??= start(gateway.id, new Array<number>(right.get(gateway.id) ?? 0).fill(0))
    if (known.state === 'wrong' && isSetSince(offsetMs)) {
      forget(gateway, receivedAt)
      return 0
    }
    if (note(known, offsetMs, receivedAt)) report(gateway, known, receivedAt)
    if (known.offsets.length >= MEASURED && known.offsets.every((offset) => Math.abs(offset) <= RIGHT_MS)) {
      measured.delete(gateway.id)
      right.set(gateway.id, MEASURED)
    }
    if (known.state !== 'wrong') return 0
    greet(gateway, HOUR_MS)
    return isStampedBy(offsetMs, known.correctionMs) ? known.correctionMs : 0
  }

  return {
    measure(gateway, sentAt, receivedAt) {
      const before = toEvent(gateway.id)
      const correctionMs = measure(gateway, sentAt, receivedAt)
      const after = toEvent(gateway.id)
      if (before.state !== after.state || before.correctionMs !== after.correctionMs) {
        // Later than the judgement it replaces, even if another machine with a fast clock made that one.
        judgedAt.set(gateway.id, Math.max(receivedAt, before.judgedAt + 1))
        changed?.(toEvent(gateway.id))
      }
      return correctionMs
    },
    arrivalOf: (sentAt, receivedAt) =>
      Math.abs(receivedAt - sentAt) > RIGHT_MS && isRightBefore(receivedAt - sentAt)
        ? receivedAt + steady.shiftMs()
        : receivedAt,
    correctionOf: (gatewayId) => measured.get(gatewayId)?.correctionMs ?? 0,
    toleratedOffsetOf(gatewayId) {
      const known = measured.get(gatewayId)
      return known?.state === 'off' ? known.offsetMs : 0
    },
    greet: (gateway) => greet(gateway),
    restore(gatewayId, offsetMs) {
      reported.add(gatewayId)
      if (offsetMs === undefined) return
      const known = start(gatewayId, new Array<number>(MEASURED).fill(offsetMs))
      judge(known)
    },
    learn(event) {
      const { gatewayId, state, correctionMs, offsetMs } = event
      const own = judgedAt.has(gatewayId) ? toEvent(gatewayId) : undefined
      if (own && !outranks(event, own)) return
      judgedAt.set(gatewayId, event.judgedAt)
      if (state === 'right') {
        // The replica that sees the clock right for long enough ends the finding.
        measured.delete(gatewayId)
        right.delete(gatewayId)
        return
      }
      reported.add(gatewayId)
      const known = measured.get(gatewayId)
      if (own && known?.state === 'wrong' && state === 'wrong' && isNear(own.correctionMs, correctionMs)) {
        // Both replicas found it at the same time, each by its own messages, which are equally good.
        known.correctionMs = correctionMs
        return
      }
      Object.assign(start(gatewayId, new Array<number>(MEASURED).fill(offsetMs)), {
        state,
        correctionMs,
        offsetMs,
      })
    },
    listJudged() {
      const since = clock.now() - RECENT_MS
      const known = [...new Set([...measured.keys(), ...judgedAt.keys()])].map(toEvent)
      return known.filter((event) => event.state !== 'right' || event.judgedAt >= since)
    },
  }
}
