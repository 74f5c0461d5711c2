import type { BalanceMode, FlowKnowledge } from '@isotherm/contract/balancing/campaign'
import type { EmitterKind } from '@isotherm/contract/network/emitters'

/** The readings from which a loop is measured. */
export interface LoopWindow {
  /** End, Unix ms. */
  readonly to: number
  /** Length, ms of clock time. It is longer for devices that report rarely (`windowStart`). */
  readonly spanMs: number
  /** Readings before this instant do not count, Unix ms. */
  readonly notBefore: number
  /** Plant time per clock time: 1 for a real plant. */
  readonly timeFactor: number
  /** Minimum number of readings of a sensor. */
  readonly minReadings: number
}

const MIN_READINGS = 4
/** Length of the window, plant time: long enough to average noise, and too short for the weather to change much. */
const SPAN_S = 7_200
/**
 * Settling time of a round, plant time. Flows follow a valve at once; a parcel of water takes up to an hour through
 * the pipes and back, and a radiator has a time constant of about 20 minutes: after two hours returns are within 10 %
 * of their final change. Rooms and walls take days and are not waited for.
 */
const SETTLE_S = 7_200
/** The screed of a heated floor has a time constant of 8 to 12 hours; this is three of them. */
const FLOOR_SETTLE_S = 30 * 3_600
/** Minimum settling time in report periods, so that devices that report rarely have enough readings after it. */
const SETTLE_PERIODS = MIN_READINGS + 1
/** After this plant time a return is near enough to its final value for a plan. */
const REST_S = 3_600

/** The window that ends at an instant. */
export const windowUntil = (to: number, timeFactor: number): LoopWindow => ({
  to,
  timeFactor,
  notBefore: 0,
  minReadings: MIN_READINGS,
  spanMs: (1000 * SPAN_S) / timeFactor,
})

/** Start of the readings that count for a device that reports every `periodS`, Unix ms. */
export const windowStart = ({ to, spanMs, notBefore }: LoopWindow, periodS: number): number =>
  Math.max(notBefore, to - Math.max(spanMs, 1000 * periodS * (MIN_READINGS + 0.5)))

/** Settling time if only meters are judged. */
const FLOWS_SETTLE_S = 600

/** What must settle in a round: flows of meters, returns of radiators, or returns of floors. */
export type SettlingKind = 'flows' | 'radiators' | 'floors'

/**
 * What must settle, by the emitters behind the valves that may move. Sequences do not wait for floors: a slot ends
 * before a floor has settled.
 */
export function findSettlingKind(
  mode: BalanceMode['kind'],
  flows: FlowKnowledge,
  emitters: ReadonlySet<EmitterKind>,
): SettlingKind {
  if (mode === 'sequence') return flows === 'metered' ? 'flows' : 'radiators'
  return emitters.has('floor') ? 'floors' : 'radiators'
}

const settleS = { flows: FLOWS_SETTLE_S, radiators: SETTLE_S, floors: FLOOR_SETTLE_S } as const

/** Settling time of a round with devices that report every `periodS` at most, ms of clock time. */
export const toSettleMs = (timeFactor: number, periodS: number, kind: SettlingKind = 'radiators'): number =>
  Math.ceil(1000 * Math.max(settleS[kind] / timeFactor, SETTLE_PERIODS * periodS))

/** Settling time of a floor after a move of its valve, ms of clock time. */
export const toFloorSettleMs = (timeFactor: number): number => (1000 * FLOOR_SETTLE_S) / timeFactor

/**
 * Whether the returns of radiators behind a valve have settled since its last move (Unix ms). For floors see
 * floor-rest.ts.
 */
export const isRested = ({ to, timeFactor }: LoopWindow, movedAt: number): boolean =>
  to - movedAt >= (1000 * REST_S) / timeFactor
