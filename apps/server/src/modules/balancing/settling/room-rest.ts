import { findRoomWaitS, toRoomRestS } from '@isotherm/balancing/rooms/room-rest'
import type { BalanceMode } from '@isotherm/contract/balancing/campaign'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { median, weightedMean } from '@isotherm/kernel/statistics'
import type { Loop } from '../loop/loop.ts'
import type { ReadSeries } from '../measurements/readings.ch.ts'
import type { SlotMeans, SlotSpan } from '../measurements/slot-means.ch.ts'
import { FOLLOWED_SHARE, isHeadFollowed } from './floor-rest.ts'

/** Whether a mode waits for rooms: targets of room temperatures follow from the envelopes of the buildings. */
export const waitsForRooms = (mode: BalanceMode): boolean =>
  mode.kind === 'temperature' && mode.target === 'room'

/** Time that rooms need after a move, and the time that each building still has to wait; ms of clock time. */
export interface RoomRest {
  readonly restMs: number
  /** By device of the valve; absent for rooms at rest. */
  readonly waitMs: ReadonlyMap<number, number>
}

/** Moves and rooms of a loop up to now. */
export interface RoomTrace {
  /** Last instant at which each valve was at another opening than now, Unix ms. */
  readonly movedAt: ReadonlyMap<number, number>
  readonly heads: ReadSeries
  /** Means of the rooms in two slots: the day before, and the last day. */
  readonly means: SlotMeans
}

/** The present instant (Unix ms), the time factor of the plant, and its time constant if it is identified, s. */
export interface RoomTime {
  readonly to: number
  readonly timeFactor: number
  readonly timeConstantS?: number | undefined
}

/** Time range in which a move still matters, ms of clock time. */
export const toRoomRestMs = ({ timeFactor, timeConstantS }: Omit<RoomTime, 'to'>): number =>
  Math.ceil((1000 * toRoomRestS(timeConstantS)) / timeFactor)

/** The two days of plant time whose means show the drift of rooms. */
export const toDriftSpan = ({ to, timeFactor }: Pick<RoomTime, 'to' | 'timeFactor'>): SlotSpan => {
  const slotMs = Math.max(1, Math.round(DAY_MS / timeFactor))
  return { from: to - 2 * slotMs, to, slotMs }
}

/** Change of the rooms behind each consumer from the first slot to the second, K; NaN without readings in both. */
function findChanges({ consumers }: Pick<Loop, 'consumers'>, means: SlotMeans): Float64Array {
  return Float64Array.from(consumers, ({ rooms }) => {
    const changes = rooms.map(({ deviceId }) => {
      const [before = Number.NaN, now = Number.NaN] = means(deviceId, 'temp.room') ?? []
      return now - before
    })
    return weightedMean(changes) ?? Number.NaN
  })
}

/** When the pump held another head, Unix ms; undefined if rooms follow the present one. */
function findHeadMove(heads: ReadSeries, to: number, restMs: number): number | undefined {
  // Rooms at rest have followed for one time constant, floors for three.
  if (isHeadFollowed(heads, { to, restMs, lagMs: restMs })) return undefined
  const now = heads.value.at(-1) ?? 0
  return heads.ts[heads.value.findLastIndex((held) => Math.abs(held - now) > FOLLOWED_SHARE * now)]
}

/**
 * Buildings whose rooms are not at rest: after a move of their valve or of the pump, or while their drift differs from
 * that of the other buildings (weather moves all of them). Worked example: room-rest.test.ts.
 */
export function findRoomRest(
  loop: Pick<Loop, 'consumers'>,
  { movedAt, heads, means }: RoomTrace,
  { to, timeFactor, timeConstantS }: RoomTime,
): RoomRest {
  const restMs = toRoomRestMs({ timeFactor, timeConstantS })
  const headMovedAt = findHeadMove(heads, to, restMs) ?? Number.NEGATIVE_INFINITY
  const changes = findChanges(loop, means)
  const common = median(changes) ?? 0
  const waitMs = loop.consumers.flatMap(({ deviceId }, index): [number, number][] => {
    const lastAt = Math.max(headMovedAt, movedAt.get(deviceId) ?? Number.NEGATIVE_INFINITY)
    const sinceMoveS = ((to - lastAt) * timeFactor) / 1000
    const driftK = (changes[index] ?? Number.NaN) - common
    const waitS = findRoomWaitS({ sinceMoveS, driftK, timeConstantS })
    return waitS > 0 ? [[deviceId, Math.ceil((1000 * waitS) / timeFactor)]] : []
  })
  return { restMs, waitMs: new Map(waitMs) }
}

/** Time until at most half of some buildings wait, whole hours; 0 if they do not. */
export function findWaitHours({ waitMs }: RoomRest, deviceIds: readonly number[]): number {
  const waits = deviceIds.flatMap((deviceId) => waitMs.get(deviceId) ?? []).sort((a, b) => a - b)
  const ended = waits.length - Math.floor(deviceIds.length / 2)
  return Math.ceil((waits[ended - 1] ?? 0) / HOUR_MS)
}
