import { LEGAL_ROOM_C } from '@isotherm/contract/metrics'

/** A room that was warm enough is cold only this far below the limit, K: a sensor and its room sway by less. */
const SWAY_K = 0.4

/** Rooms below the legal limit, by their sensor. */
export const listCold = (rooms: ReadonlyMap<number, number>): number[] =>
  [...rooms].flatMap(([deviceId, roomC]) => (roomC < LEGAL_ROOM_C ? [deviceId] : []))

/** Sensors of the rooms that were measured as a round was planned, and of those that were cold then. */
export interface RoomsBefore {
  readonly measured: readonly number[]
  readonly cold: readonly number[]
}

/**
 * How many rooms are cold beside those that were: one of them counts as long as it is below the limit, or is not measured
 * any more; one that was warm enough from a sway below it, so that rooms at the limit do not come and go. Of a room that
 * nobody measured before nobody knows that it became cold.
 */
export function countColdSince({ measured, cold }: RoomsBefore, rooms: ReadonlyMap<number, number>): number {
  const wasCold = new Set(cold)
  const still = cold.filter((deviceId) => !((rooms.get(deviceId) ?? 0) >= LEGAL_ROOM_C))
  const newly = measured.filter(
    (deviceId) => !wasCold.has(deviceId) && (rooms.get(deviceId) ?? LEGAL_ROOM_C) < LEGAL_ROOM_C - SWAY_K,
  )
  return still.length + newly.length
}
