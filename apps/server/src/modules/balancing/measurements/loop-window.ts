import type { BalanceMode, FlowKnowledge } from '@isotherm/contract/balancing/campaign'
import type { EmitterKind } from '@isotherm/contract/network/emitters'

/** A time window, Unix ms, and the time factor of the plant (1 for a real plant). */
export interface LoopWindow {
  readonly to: number
  /** Start of the window; it is longer for devices that report too rarely for it. */
  readonly spanMs: number
  /** No reading before this instant counts. */
  readonly notBefore: number
  readonly factor: number
  /** Minimum number of readings of a sensor. */
  readonly minReadings: number
}

/** Minimum number of readings of a sensor. */
const MIN_READINGS = 4
/** Window of flows and temperatures, plant time: noise is halved twice, and the weather hardly changes. */
const SPAN_S = 7_200
/**
 * Settling time of a round, plant time. Flows follow a valve at once; a parcel of water takes up to an hour through
 * the pipes and back, and a radiator has a time constant of about 20 minutes: after two hours returns are within 10 %
 * of their final change. Rooms and walls take days and are not waited for.
 */
const SETTLE_S = 7_200
/** The screed of a heated floor has a time constant of 8 to 12 hours; this is three of them. */
const FLOOR_SETTLE_S = 30 * 3_600
/** Factor on the settling time, so that even devices that report rarely have readings after it. */
const SETTLE_PERIODS = MIN_READINGS + 1
/** After this plant time a return is near enough to its final value for a plan. */
const REST_S = 3_600

/** The window that ends at an instant. */
export const windowUntil = (to: number, factor: number): LoopWindow => ({
  to,
  factor,
  notBefore: 0,
  minReadings: MIN_READINGS,
  spanMs: (1000 * SPAN_S) / factor,
})

/** Start of the readings that count for a device that reports every `periodS`, Unix ms. */
export const windowStart = ({ to, spanMs, notBefore }: LoopWindow, periodS: number): number =>
  Math.max(notBefore, to - Math.max(spanMs, 1000 * periodS * (MIN_READINGS + 0.5)))

/** Settling time if only meters are judged. */
const FLOWS_SETTLE_S = 600

/** What must settle in a round: flows of meters, returns of radiators, or returns of floors. */
export type SettlesBy = 'flows' | 'radiators' | 'floors'

/**
 * What must settle, by the emitters behind the valves that may move. Sequences do not wait for floors: a slot ends
 * before a floor has settled.
 */
export function findSettlesBy(
  mode: BalanceMode['kind'],
  flows: FlowKnowledge,
  emitters: ReadonlySet<EmitterKind>,
): SettlesBy {
  if (mode === 'sequence') return flows === 'metered' ? 'flows' : 'radiators'
  return emitters.has('floor') ? 'floors' : 'radiators'
}

const settleS = { flows: FLOWS_SETTLE_S, radiators: SETTLE_S, floors: FLOOR_SETTLE_S } as const

/** Settling time of a round with devices that report every `periodS` at most, ms of clock time. */
export const toSettleMs = (factor: number, periodS: number, by: SettlesBy = 'radiators'): number =>
  Math.ceil(1000 * Math.max(settleS[by] / factor, SETTLE_PERIODS * periodS))

/** Settling time of a floor after a move of its valve, ms of clock time. */
export const toFloorSettleMs = (factor: number): number => (1000 * FLOOR_SETTLE_S) / factor

/**
 * Whether temperatures behind a valve have settled since its last move (Unix ms); floors take longer (floor-rest.ts).
 */
export const isRested = ({ to, factor }: LoopWindow, movedAt: number): boolean =>
  to - movedAt >= (1000 * REST_S) / factor
