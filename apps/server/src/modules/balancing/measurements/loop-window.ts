import type { BalanceMode, FlowKnowledge } from '@isotherm/contract/balancing/campaign'
import type { EmitterKind } from '@isotherm/contract/network/emitters'

/** A window of the wire, Unix ms, and how much faster than it the plant lives (1 in a field). */
export interface LoopWindow {
  readonly to: number
  /** How far it goes back, and further for who reports so seldom that it would say nothing. */
  readonly spanMs: number
  /** But never to before this. */
  readonly notBefore: number
  readonly factor: number
  /** Fewer readings of a sensor say nothing. */
  readonly leastReadings: number
}

/** Fewer readings of a sensor say nothing. */
const LEAST_READINGS = 4
/** Flows and temperatures of a loop are read over two hours of the plant: noise is halved twice, and the weather has hardly moved. */
const SPAN_S = 7_200
/**
 * How long a round settles, in time of the plant. Flows follow a valve at once; a parcel of water takes up to an hour through
 * pipes and back, and a radiator settles by a time constant of some 20 minutes: after two hours returns are within a tenth
 * of where they go. Rooms and walls take days, and are not waited for.
 */
const SETTLE_S = 7_200
/** The screed of a heated floor follows with a time constant of 8 to 12 hours: three of them. */
const FLOOR_SETTLE_S = 30 * 3_600
/** So that as much time again brings what it is judged by, even of who reports seldom. */
const SETTLE_PERIODS = LEAST_READINGS + 1
/** After so much of the plant's time a return is near enough to where it goes to be planned from. */
const REST_S = 3_600

/** The window that ends at an instant. */
export const windowUntil = (to: number, factor: number): LoopWindow => ({
  to,
  factor,
  notBefore: 0,
  leastReadings: LEAST_READINGS,
  spanMs: (1000 * SPAN_S) / factor,
})

/** From when on the readings of a device that reports every `periodS` count, Unix ms. */
export const windowStart = ({ to, spanMs, notBefore }: LoopWindow, periodS: number): number =>
  Math.max(notBefore, to - Math.max(spanMs, 1000 * periodS * (LEAST_READINGS + 0.5)))

/** What is judged by meters alone is there much sooner. */
const FLOWS_SETTLE_S = 600

/** What a round is waited for: that meters follow, or returns of radiators, or those of floors. */
export type SettlesBy = 'flows' | 'radiators' | 'floors'

/**
 * What a round is waited for, by what heats the rooms behind valves that may move. A slot of a sequence would be over before a
 * floor has followed, and the next one waits for it.
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

/** How long a round of devices that report every `periodS` at most settles, ms of the wire. */
export const toSettleMs = (factor: number, periodS: number, by: SettlesBy = 'radiators'): number =>
  Math.ceil(1000 * Math.max(settleS[by] / factor, SETTLE_PERIODS * periodS))

/** How long a floor follows a move of its valve, ms of the wire. */
export const toFloorSettleMs = (factor: number): number => (1000 * FLOOR_SETTLE_S) / factor

/** Whether temperatures behind a valve that last moved at an instant (Unix ms) have settled since; floors take longer (floor-rest.ts). */
export const isRested = ({ to, factor }: LoopWindow, movedAt: number): boolean =>
  to - movedAt >= (1000 * REST_S) / factor
