import { median } from '@isotherm/kernel/statistics'

/**
 * `cold`: a room is below the legal minimum; `colder`: the rooms are much colder than those of the others.
 */
export type RoomObjection = 'cold' | 'colder'

/** Rooms of each consumer, °C; NaN without a reading. */
export interface GatedRooms {
  /** Mean of its rooms. */
  readonly roomC: Float64Array
  /** Its coldest room. */
  readonly coldestC: Float64Array
}

/** Legal minimum of a room temperature, °C: below it cities refund part of the heating fee. */
export const LEGAL_ROOM_C = 18
/** Twice the standard deviation of a room from the mean of its building, K. */
const COLDER_K = 1.3
/** Minimum number of consumers with measured rooms for a comparison. */
const LEAST_MEASURED = 3

/**
 * Consumers whose rooms object to less flow. A warm return means that a building takes more than its share, not that
 * its rooms are warm: clogged emitters and thin walls cause both. A consumer without readings does not object. Worked
 * example: room-gate.test.ts.
 */
export function listObjections({ roomC, coldestC }: GatedRooms): ReadonlyMap<number, RoomObjection> {
  const measured = roomC.filter((room) => !Number.isNaN(room))
  const middle = measured.length >= LEAST_MEASURED ? (median(measured) ?? Number.NaN) : Number.NaN
  const objections = new Map<number, RoomObjection>()
  for (const [i, room] of roomC.entries()) {
    if ((coldestC[i] ?? Number.NaN) < LEGAL_ROOM_C || room < LEGAL_ROOM_C) objections.set(i, 'cold')
    else if (room < middle - COLDER_K) objections.set(i, 'colder')
  }
  return objections
}
