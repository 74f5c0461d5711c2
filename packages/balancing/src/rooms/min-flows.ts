import { type GatedRooms, LEGAL_ROOM_C, type RoomObjection } from './room-gate.ts'
import { restAtRoom, type ThermalModel } from './thermal-model.ts'

/** Error of a room sensor, K. */
const SENSOR_K = 0.3
/**
 * Fall of a room's temperature in a cold front of 7 to 8 K at an unchanged flow, K. The heating curve raises the heat of the
 * network, but that of people and sun, about a quarter of the load, does not grow with the cold.
 */
const COLD_FRONT_K = 0.4
/** Distance that the target flows of a plan have from the legal minimum, K. */
const MARGIN_K = SENSOR_K + COLD_FRONT_K
/**
 * Fall of the outdoor temperature in that front, K. A valve that closes lowers a room by a share of the difference between room and
 * outdoor temperature, so by more degrees in the front.
 */
const FRONT_OUTDOOR_K = 8
/** Distance of the coldest of about ten rooms from their mean, K: one and a half deviations of 0.65 K. */
const COLDEST_BELOW_K = 1
/** Relative error of a predicted change of ln ṁ, by which a closing valve may close too far. */
const CHANGE_ERROR = 0.25

/** Safety of the minimum flows. */
export interface FloorCare {
  /** Distance from the legal minimum, K. */
  readonly marginK?: number
  /**
   * Mean room temperatures from all sources, °C, for a plan that cools warm rooms on purpose. With them, consumers without a
   * sensor have a minimum flow too, and each minimum allows for rooms colder than the one with the sensor and for valves that
   * close further than planned.
   */
  readonly estimatedC?: Float64Array | undefined
}

/**
 * Minimum flow of each consumer that its rooms allow, kg/s; 0 if no room is known. A consumer whose rooms object keeps
 * at least its present flow. Another one keeps at least the flow at which its coldest room stays `marginK` above the
 * legal minimum in the weather of a cold front, assuming that each room cools as much as the mean. Worked example: min-flows.test.ts.
 */
export function findMinFlows(
  thermal: ThermalModel,
  flowKgS: Float64Array,
  { roomC, coldestC }: Pick<GatedRooms, 'roomC' | 'coldestC'>,
  objections: ReadonlyMap<number, RoomObjection>,
  { marginK = MARGIN_K, estimatedC }: FloorCare = {},
): Float64Array {
  return flowKgS.map((present, i) => {
    if (objections.has(i)) return present
    if (!(present > 0)) return 0
    const [room, coldest] = findRooms(i, { roomC, coldestC }, estimatedC)
    const colder = (room - thermal.outdoorC + FRONT_OUTDOOR_K) / (room - thermal.outdoorC)
    const spareK = (coldest - LEGAL_ROOM_C - marginK) / colder
    if (Number.isNaN(spareK)) return 0
    if (spareK <= 0) return present
    const flow = Math.min(present, restAtRoom(thermal, i, room - spareK)?.flowKgS ?? 0)
    return estimatedC ? present * (flow / present) ** (1 / (1 + CHANGE_ERROR)) : flow
  })
}

/** Mean and coldest room of a consumer, °C. */
function findRooms(
  i: number,
  { roomC, coldestC }: Pick<GatedRooms, 'roomC' | 'coldestC'>,
  estimatedC: Float64Array | undefined,
): readonly [room: number, coldest: number] {
  const shown = coldestC[i] ?? Number.NaN
  const estimated = estimatedC?.[i] ?? Number.NaN
  if (Number.isNaN(estimated)) return [roomC[i] ?? Number.NaN, shown]
  const usual = estimated - COLDEST_BELOW_K
  return [estimated, Number.isNaN(shown) ? usual : Math.min(shown, usual)]
}
