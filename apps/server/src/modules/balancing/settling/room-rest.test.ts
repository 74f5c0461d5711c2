import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import type { ReadSeries } from '../measurements/readings.ch.ts'
import type { SlotMeans } from '../measurements/slot-means.ch.ts'
import { findRoomRest, findWaitHours, toDriftSpan, waitsForRooms } from './room-rest.ts'

const TO = 1_000 * HOUR_MS
const NO_HEADS: ReadSeries = { ts: [], value: [] }
/** Three buildings with a sensor each, whose device is ten times that of the valve. */
const loop = {
  consumers: [1, 2, 3].map((deviceId) => ({ deviceId, rooms: [{ deviceId: 10 * deviceId }] })) as never,
}
/** Rooms that changed by these differences from one day to the next, K. */
const rooms =
  (...changesK: readonly number[]): SlotMeans =>
  (deviceId) => {
    const changeK = changesK[deviceId / 10 - 1]
    return changeK === undefined ? undefined : Float64Array.of(20, 20 + changeK)
  }
const trace = { movedAt: new Map<number, number>(), heads: NO_HEADS, means: rooms() }
const waitsOf = (change: Partial<typeof trace>, timeConstantS?: number, timeFactor = 1) => {
  const { waitMs } = findRoomRest(loop, { ...trace, ...change }, { to: TO, timeFactor, timeConstantS })
  return Object.fromEntries([...waitMs].map(([deviceId, ms]) => [deviceId, ms / HOUR_MS]))
}

test('only targets of room temperatures wait for rooms', () => {
  expect(waitsForRooms({ kind: 'temperature', target: 'room' })).toBe(true)
  expect(waitsForRooms({ kind: 'temperature', target: 'return' })).toBe(false)
  expect(waitsForRooms({ kind: 'energy', heatWM2: 30 })).toBe(false)
})

test('a building waits after a move of its valve: five days, or a time constant if it is identified', () => {
  const movedAt = new Map([
    [1, TO - 12 * HOUR_MS],
    [2, TO - 5 * DAY_MS],
  ])
  expect(waitsOf({ movedAt })).toEqual({ 1: 108 })
  expect(waitsOf({ movedAt }, 48 * 3_600)).toEqual({ 1: 36 })
})

test('in a plant with a time factor of ten it waits for a tenth of the time', () => {
  expect(waitsOf({ movedAt: new Map([[1, TO - HOUR_MS]]) }, undefined, 10)).toEqual({ 1: 11 })
  expect(toDriftSpan({ to: TO, timeFactor: 10 })).toEqual({
    from: TO - 4.8 * HOUR_MS,
    to: TO,
    slotMs: 0.1 * DAY_MS,
  })
})

test('all buildings wait after another head of the pump, and for none that follows the weather', () => {
  const steps = Array.from({ length: 120 }, (_, hour) => TO - (120 - hour) * HOUR_MS)
  const heads = (of: (hoursAgo: number) => number) => ({
    ts: steps,
    value: steps.map((at) => of((TO - at) / HOUR_MS)),
  })
  expect(waitsOf({ heads: heads((ago) => (ago > 24 ? 80 : 50)) })).toEqual({ 1: 95, 2: 95, 3: 95 })
  expect(waitsOf({ heads: heads((ago) => 50 + 4 * Math.sin((2 * Math.PI * ago) / 24)) })).toEqual({})
})

test('a building that cools without a known move waits for the next day, and the weather moves all alike', () => {
  expect(waitsOf({ means: rooms(-0.9, -0.1, 0) })).toEqual({ 1: 24 })
  expect(waitsOf({ means: rooms(-0.9, -0.8, -1) })).toEqual({})
})

test('a loop waits until half of its buildings are at rest', () => {
  const rest = { restMs: 0, waitMs: new Map([1, 2, 3].map((id) => [id, id * HOUR_MS])) }
  expect(findWaitHours(rest, [1, 2, 3])).toBe(2)
  expect(findWaitHours(rest, [1, 4])).toBe(0)
  expect(findWaitHours(rest, [3])).toBe(3)
  expect(findWaitHours(rest, [])).toBe(0)
})
