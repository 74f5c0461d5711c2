import { expect, test } from 'vitest'
import { findRoomWaitS, toRoomRestS } from './room-rest.ts'

const HOUR_S = 3_600
const DAY_S = 24 * HOUR_S
const still = { sinceMoveS: Number.POSITIVE_INFINITY, driftK: Number.NaN } as const

test('rooms rest a time constant after a move, two to five days, and five days if it is not known', () => {
  expect(toRoomRestS(60 * HOUR_S)).toBe(60 * HOUR_S)
  expect(toRoomRestS(20 * HOUR_S)).toBe(2 * DAY_S)
  expect(toRoomRestS(150 * HOUR_S)).toBe(5 * DAY_S)
  expect(toRoomRestS(undefined)).toBe(5 * DAY_S)
})

test('a building waits for the rest of that time, and without a known move for nothing', () => {
  expect(findRoomWaitS({ ...still, sinceMoveS: 12 * HOUR_S })).toBe(108 * HOUR_S)
  expect(findRoomWaitS({ ...still, sinceMoveS: 5 * DAY_S })).toBe(0)
  expect(findRoomWaitS({ ...still, sinceMoveS: 2 * DAY_S, timeConstantS: 40 * HOUR_S })).toBe(0)
  expect(findRoomWaitS(still)).toBe(0)
})

test('rooms that still cool without a known move wait for the next day', () => {
  // With 80 h, 0.6 K in a day are 2 K to come, and 0.3 K are 1 K.
  expect(findRoomWaitS({ ...still, driftK: -0.6 })).toBe(DAY_S)
  expect(findRoomWaitS({ ...still, driftK: 0.3 })).toBe(0)
  // Light walls soon end their drift.
  expect(findRoomWaitS({ ...still, driftK: -0.6, timeConstantS: 40 * HOUR_S })).toBe(0)
})
