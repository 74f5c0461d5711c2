import { LEGAL_ROOM_C } from '@isotherm/contract/metrics'

/** Hysteresis: a room that was warm enough counts as cold only this far below the limit, K. */
const SWAY_K = 0.4

/** Rooms below the legal limit, by their sensor. */
export const listCold = (rooms: ReadonlyMap<number, number>): number[] =>
  [...rooms].flatMap(([deviceId, roomC]) => (roomC < LEGAL_ROOM_C ? [deviceId] : []))

/** Sensors of the rooms that were measured when a round was planned, and of the cold ones among them. */
export interface RoomsBefore {
  readonly measured: readonly number[]
  readonly cold: readonly number[]
}

/**
 * Number of cold rooms compared with an earlier state. A room that was cold counts while it is below the limit or not
 * measured any more. A room that was warm enough counts once it is below the limit by the hysteresis, so that rooms
 * at the limit do not come and go. A room that was not measured before does not count.
 */
export function countColdSince({ measured, cold }: RoomsBefore, rooms: ReadonlyMap<number, number>): number {
  const wasCold = new Set(cold)
  const still = cold.filter((deviceId) => !((rooms.get(deviceId) ?? 0) >= LEGAL_ROOM_C))
  const newly = measured.filter(
    (deviceId) => !wasCold.has(deviceId) && (rooms.get(deviceId) ?? LEGAL_ROOM_C) < LEGAL_ROOM_C - SWAY_K,
  )
  return still.length + newly.length
}
