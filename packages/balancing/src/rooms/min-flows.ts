import { type GatedRooms, LEGAL_ROOM_C, type RoomObjection } from './room-gate.ts'
import { restAtRoom, type ThermalModel } from './thermal-model.ts'

/** Error of a room sensor, K. */
const SENSOR_K = 0.3
/**
 * How far a room falls in a cold front of 7 to 8 K at an unchanged flow, K: a heating curve does not replace the heat of
 * people and sun, about a quarter of the load, which does not grow with the cold.
 */
const COLD_FRONT_K = 0.4
/** Distance that the target flows of a plan have from the legal minimum, K. */
const MARGIN_K = SENSOR_K + COLD_FRONT_K

/**
 * Minimum flow of each consumer that its rooms allow, kg/s; 0 if no room is known. A consumer whose rooms object keeps
 * at least its present flow. Another one keeps at least the flow at which its coldest room stays `marginK` above the
 * legal minimum: each room cools as much as the mean. Worked example: min-flows.test.ts.
 */
export function findMinFlows(
  thermal: ThermalModel,
  flowKgS: Float64Array,
  { roomC, coldestC }: Pick<GatedRooms, 'roomC' | 'coldestC'>,
  objections: ReadonlyMap<number, RoomObjection>,
  marginK = MARGIN_K,
): Float64Array {
  return flowKgS.map((present, i) => {
    if (objections.has(i)) return present
    const [room, coldest] = [roomC[i] ?? Number.NaN, coldestC[i] ?? Number.NaN]
    const spareK = coldest - LEGAL_ROOM_C - marginK
    if (Number.isNaN(spareK)) return 0
    if (spareK <= 0) return present
    return Math.min(present, restAtRoom(thermal, i, room - spareK)?.flowKgS ?? 0)
  })
}
