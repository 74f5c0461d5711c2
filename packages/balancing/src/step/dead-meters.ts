import { median } from '@isotherm/kernel/statistics'
import { ASSUMED_ROOM_C } from '../rooms/room-gate.ts'

/**
 * A meter that shows less than this share of the usual flow counts as showing none: the lowest flow that meters measure
 * (EN 1434, qi/qp 1:100 and less).
 */
const MIN_SHARE = 0.01
/** A return this much above its room comes from flowing water, K: water that stands cools to the cellar. */
const WARM_K = 5

/** Readings of consumers: flow, kg/s, and temperatures, °C; NaN without a reading. */
interface MeterReadings {
  readonly meterKgS: Float64Array
  readonly returnC: Float64Array
  readonly roomC: Float64Array
  /** 1 where water may stand and still be warm: its meter is not dead (`mayStand`). None without it. */
  readonly standing?: Uint8Array | undefined
}

/** The smallest flow that a meter shows if it works and water flows, in the unit of the flows; NaN without any flow. */
export const minFlowOf = (flows: Float64Array): number =>
  MIN_SHARE * (median(flows.map((flow) => (flow > 0 ? flow : Number.NaN))) ?? Number.NaN)

/**
 * Measured flows without those of dead meters, kg/s; NaN in their place. A meter is dead if it shows no flow although
 * warm water leaves its consumer. Worked example: dead-meters.test.ts.
 */
export function withoutDeadMeters({ meterKgS, returnC, roomC, standing }: MeterReadings): Float64Array {
  const minFlow = minFlowOf(meterKgS)
  return meterKgS.map((flow, i) => {
    if (standing?.[i] === 1) return flow
    const room = roomC[i] ?? Number.NaN
    const isWarm = (returnC[i] ?? Number.NaN) > (Number.isNaN(room) ? ASSUMED_ROOM_C : room) + WARM_K
    return isWarm && !(flow > minFlow) ? Number.NaN : flow
  })
}

/** Standing water has cooled noticeably after this plant time, s. */
export const COOLED_S = 3_600
/**
 * Standing water cools by at least this in that time, K: the excess over the cellar is about 23 K, and an insulated pipe of
 * DN 80 has a time constant of 20 h; smaller ones cool faster.
 */
const COOLED_K = 1

/** What a consumer without flow shows since its flow stopped. */
export interface StoppedFlow {
  /** Whether its meter showed a flow before. */
  readonly wasSeen: boolean
  /** Plant time since then, s. */
  readonly sinceS: number
  /** Fall of its return since then, and median fall of the returns of consumers with flow in the same time, K. */
  readonly fallK: number
  readonly usualFallK: number
}

/**
 * Whether a consumer without flow may really have none although its return is warm: its flow stopped so recently that the
 * water in its pipes is still warm, as after a move of valves, or its return cools faster than those of the others. The
 * meter of a consumer whose return stays warm is dead.
 */
export const mayStand = ({ wasSeen, sinceS, fallK, usualFallK }: StoppedFlow): boolean =>
  (wasSeen && sinceS < COOLED_S) || fallK - usualFallK >= COOLED_K
