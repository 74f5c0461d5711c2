import { changeRooms, type MeasuredRoom } from '@isotherm/balancing/plan-confidence'
import type { PlannedStep } from '@isotherm/balancing/plan-step'
import type { CampaignMember } from '@isotherm/contract/balancing'
import { LEGAL_ROOM_C } from '@isotherm/contract/legal-room'
import type { Loop } from './loop.ts'
import type { MeasuredLoop } from './measured-loop.ts'

/** Rooms of members that are measured, each with the place of its consumer in the loop. */
export const listRooms = (
  { consumers }: Loop,
  { rooms }: Pick<MeasuredLoop, 'rooms'>,
  isMember: readonly boolean[],
): readonly MeasuredRoom[] =>
  consumers.flatMap((each, consumer) =>
    isMember[consumer]
      ? each.rooms.flatMap(({ deviceId }) => {
          const roomC = rooms.get(deviceId)
          return roomC === undefined ? [] : [{ consumer, roomC }]
        })
      : [],
  )

/** The same rooms as a step leads to them once they are at rest; those of whom that is not known are left out. */
export function roomsAfter(
  rooms: readonly MeasuredRoom[],
  { before, expected }: Pick<PlannedStep, 'before' | 'expected'>,
): readonly MeasuredRoom[] {
  const after = changeRooms(rooms, expected.roomC, before.roomC)
  return rooms.flatMap(({ consumer }, index) => {
    const roomC = after[index] ?? Number.NaN
    return Number.isNaN(roomC) ? [] : [{ consumer, roomC }]
  })
}

/** How many rooms of a consumer are known, and how many of them are below the legal limit; nothing where none is. */
export function countRooms(
  rooms: readonly MeasuredRoom[],
  index: number,
): Pick<CampaignMember['before'], 'rooms' | 'coldRooms'> {
  const own = rooms.filter(({ consumer }) => consumer === index)
  if (own.length === 0) return {}
  return { rooms: own.length, coldRooms: own.filter(({ roomC }) => roomC < LEGAL_ROOM_C).length }
}
