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
}

/**
 * Measured flows without those of dead meters, kg/s; NaN in their place. A meter is dead if it shows no flow although
 * warm water leaves its consumer. Worked example: dead-meters.test.ts.
 */
export function withoutDeadMeters({ meterKgS, returnC, roomC }: MeterReadings): Float64Array {
  const usual = median(meterKgS.map((flow) => (flow > 0 ? flow : Number.NaN))) ?? Number.NaN
  return meterKgS.map((flow, i) => {
    const room = roomC[i] ?? Number.NaN
    const isWarm = (returnC[i] ?? Number.NaN) > (Number.isNaN(room) ? ASSUMED_ROOM_C : room) + WARM_K
    return isWarm && !(flow > MIN_SHARE * usual) ? Number.NaN : flow
  })
}
