import { median } from '@isotherm/kernel/statistics'

/** `cold`: a room is below what is due to it by law; `colder`: rooms are much colder than those of the others. */
export type RoomObjection = 'cold' | 'colder'

/** Rooms behind each consumer, °C; NaN where none is measured. */
export interface GatedRooms {
  /** Mean of them. */
  readonly roomC: Float64Array
  /** The coldest of them. */
  readonly coldestC: Float64Array
}

/** What a room is due by law, °C: cities give money back below it. */
export const LEGAL_ROOM_C = 18
/** Twice what one room differs from the mean of its building, K. */
const COLDER_K = 1.3
/** With fewer consumers whose rooms are measured nobody is colder than the others. */
const LEAST_MEASURED = 3

/**
 * Whose rooms speak against less flow: a warm return says that a building takes more than its share, not that its rooms are
 * warm (clogged emitters and thin walls give both). By consumer; who is not measured does not object. Worked example:
 * room-gate.test.ts.
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
