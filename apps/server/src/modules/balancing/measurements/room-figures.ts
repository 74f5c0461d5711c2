import { changeRooms, type MeasuredRoom } from '@isotherm/balancing/plan/plan-confidence'
import type { PlannedStep } from '@isotherm/balancing/plan/plan-step'
import type { CampaignMember } from '@isotherm/contract/balancing/campaign'
import { LEGAL_ROOM_C } from '@isotherm/contract/metrics'
import type { Loop } from '../loop/loop.ts'
import type { MeasuredLoop } from './measured-loop.ts'

/** Measured rooms of a loop, or of members, each with the index of its consumer in the loop. */
export const listRooms = (
  { consumers }: Loop,
  { rooms }: Pick<MeasuredLoop, 'rooms'>,
  isMember?: readonly boolean[],
): readonly MeasuredRoom[] =>
  consumers.flatMap((each, consumer) =>
    isMember === undefined || isMember[consumer]
      ? each.rooms.flatMap(({ deviceId }) => {
          const roomC = rooms.get(deviceId)
          return roomC === undefined ? [] : [{ consumer, roomC }]
        })
      : [],
  )

/** The same rooms in the steady state after a step; rooms without a prediction are omitted. */
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

type RoomCount = Pick<CampaignMember['before'], 'rooms' | 'coldRooms'>

/**
 * For each consumer the number of known rooms, and of those below the legal limit; nothing without a known room.
 * Passes over the rooms once, because a loop has thousands.
 */
export function countRooms(rooms: readonly MeasuredRoom[]): (consumer: number) => RoomCount {
  const counts = new Map<number, { rooms: number; coldRooms: number }>()
  for (const { consumer, roomC } of rooms) {
    const count = counts.get(consumer) ?? { rooms: 0, coldRooms: 0 }
    count.rooms += 1
    if (roomC < LEGAL_ROOM_C) count.coldRooms += 1
    counts.set(consumer, count)
  }
  return (consumer) => counts.get(consumer) ?? {}
}
