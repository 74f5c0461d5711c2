import { AppError } from '../../../platform/app-error.ts'
import { findWaitHours } from '../settling/room-rest.ts'
import type { RoundOrder, RoundSketch } from './plan-round.ts'

/** Whether a valve waits for its own return, or for the rooms behind it. */
export const isSettling = (
  { settling, roomRest }: Pick<RoundOrder, 'settling' | 'roomRest'>,
  deviceId: number,
): boolean => settling?.has(deviceId) === true || roomRest?.waitMs.has(deviceId) === true

/** Devices of the valves that the round before moved. */
function listMoved({ memory }: RoundOrder): ReadonlySet<number> {
  return new Set(memory?.moves.flatMap(({ consumer }) => memory.devices[consumer] ?? []))
}

/**
 * Throws balance.rooms-moving if rooms still respond in more than half of the buildings that a plan for room targets
 * would move (in a trim: that the previous round moved). If there are fewer, their valves keep their openings.
 */
export function requireRest(
  order: RoundOrder,
  { reasons, isMember }: Pick<RoundSketch, 'reasons' | 'isMember'>,
): void {
  const { place, loop, roomRest } = order
  if (!roomRest) return
  const moved = listMoved(order)
  const ours = loop.consumers.flatMap(({ deviceId }, index) =>
    isMember[index] && !reasons[index] && (moved.size === 0 || moved.has(deviceId)) ? deviceId : [],
  )
  const hours = findWaitHours(roomRest, ours)
  if (hours === 0) return
  const waiting = ours.filter((deviceId) => roomRest.waitMs.has(deviceId)).length
  throw new AppError('balance.rooms-moving', { node: place.nodeName, waiting, valves: ours.length, hours })
}
