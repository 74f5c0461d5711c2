import { median } from '@isotherm/kernel/statistics'

/**
 * `cold`: a room is below the legal minimum. `starved`: the water leaves as cold as the rooms, so there is hardly any.
 * `colder`: the rooms are much colder than those of the others.
 */
export type RoomObjection = 'cold' | 'starved' | 'colder'

/** Temperatures of each consumer, °C; NaN without a reading. */
export interface GatedRooms {
  /** Mean of its rooms. */
  readonly roomC: Float64Array
  /** Its coldest room. */
  readonly coldestC: Float64Array
  readonly supplyC: Float64Array
  readonly returnC: Float64Array
}

/** Legal minimum of a room temperature, °C: below it cities refund part of the heating fee. */
export const LEGAL_ROOM_C = 18
/** Twice the standard deviation of a room from the mean of its building, K. */
const COLDER_K = 1.3
/** Room temperature without a reading, °C. */
export const ASSUMED_ROOM_C = 20
/** Share of the possible drop, from the supply to the room, at which water has hardly any flow. */
const STARVED_SHARE = 0.95
/** Minimum number of consumers with measured rooms for a comparison. */
const MIN_MEASURED = 3

function isStarved(supplyC: number, returnC: number, roomC: number): boolean {
  const room = Number.isNaN(roomC) ? ASSUMED_ROOM_C : roomC
  return supplyC > room && supplyC - returnC > STARVED_SHARE * (supplyC - room)
}

/**
 * Consumers with cold rooms ("objections"): their flow must not decrease. A warm return only means that a building gets
 * more than its share. Its rooms can still be cold, because of clogged emitters or thin walls. A return as cold as the
 * rooms means that hardly any water comes. A consumer without readings has no objection. Worked example:
 * room-gate.test.ts.
 */
export function listObjections({
  roomC,
  coldestC,
  supplyC,
  returnC,
}: GatedRooms): ReadonlyMap<number, RoomObjection> {
  const measured = roomC.filter((room) => !Number.isNaN(room))
  const middle = measured.length >= MIN_MEASURED ? (median(measured) ?? Number.NaN) : Number.NaN
  const objections = new Map<number, RoomObjection>()
  for (const [i, room] of roomC.entries()) {
    if ((coldestC[i] ?? Number.NaN) < LEGAL_ROOM_C || room < LEGAL_ROOM_C) objections.set(i, 'cold')
    else if (isStarved(supplyC[i] ?? Number.NaN, returnC[i] ?? Number.NaN, room)) objections.set(i, 'starved')
    else if (room < middle - COLDER_K) objections.set(i, 'colder')
  }
  return objections
}
