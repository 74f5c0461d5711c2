import { USUAL_TIME_CONSTANT } from './time-constant.ts'

/** How the room temperatures of a building change. */
export interface RoomMotion {
  /** Time since the last move of its valve or of the pump, s; infinite without a known move. */
  readonly sinceMoveS: number
  /** Change of its rooms from the day before to the last day, beyond that of the other buildings, K; NaN if not measured. */
  readonly driftK: number
  /** Identified time constant, s; undefined if it is not known. */
  readonly timeConstantS?: number | undefined
}

const HOUR_S = 3_600
const DAY_S = 24 * HOUR_S
const USUAL_S = USUAL_TIME_CONSTANT.hours * HOUR_S
/**
 * Bounds of the wait after a move. On `bench/foreign` a trim of rooms one day after the move left more flats cold than no
 * trim in six of six runs; two days after it, fewer in five of six. Rooms that are slower than the longest wait are
 * recognised by their drift.
 */
const SHORTEST_S = 2 * DAY_S
const LONGEST_S = 5 * DAY_S
/**
 * Wait without an identified time constant. On `bench/foreign` rooms differ by 0.83 K after six days if the trim waits
 * five days, and by 0.94 K if it waits three.
 */
const UNKNOWN_S = LONGEST_S
/** Tolerance of the distance to the final room temperature, K: about 7 % of UA in usual winter weather. */
const TOLERANCE_K = 1.5

/**
 * Time from a move until rooms count as at rest, s: one time constant, in which they take two thirds of their change,
 * at least two and at most five days. Five days if the time constant is not identified.
 */
export const toRoomRestS = (timeConstantS: number | undefined): number =>
  timeConstantS === undefined ? UNKNOWN_S : Math.min(LONGEST_S, Math.max(SHORTEST_S, timeConstantS))

/**
 * Time to wait until the rooms of a building are at rest, s; 0 if they are. A room that changes by d each day will
 * change by τ·d more. While that exceeds the tolerance, the wait continues until the mean of the next day is known.
 * Source: first-order cooling; docs/domain/formulas.md. Worked example: room-rest.test.ts.
 */
export function findRoomWaitS({ sinceMoveS, driftK, timeConstantS }: RoomMotion): number {
  const left = toRoomRestS(timeConstantS) - sinceMoveS
  if (left > 0) return left
  return (Math.abs(driftK) * (timeConstantS ?? USUAL_S)) / DAY_S > TOLERANCE_K ? DAY_S : 0
}
