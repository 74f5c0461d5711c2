import { metrics, quality } from '@isotherm/contract/metrics'
import { expect, test } from 'vitest'
import { createTestRollups, HOUR_MS, type TestReading } from '../../history/rollups.testkit.ts'
import { findUnsettled, toRestMs, waitsForFloors } from './floor-rest.ts'
import { readLastMoves } from './last-moves.ch.ts'

const OPENING = metrics['valve.opening'].id
const toRow = (deviceId: number, emitter: 'floor' | 'radiator') => ({ deviceId, emitter }) as never

test('floors are waited for until their screeds have followed, those alone, and no longer than their round was', () => {
  const loop = { consumers: [toRow(1, 'floor'), toRow(2, 'floor'), toRow(3, 'radiator'), toRow(4, 'floor')] }
  const to = 100 * HOUR_MS
  const movedAt = new Map([
    [1, to - 5 * HOUR_MS],
    [2, to - 30 * HOUR_MS],
    [3, to - 5 * HOUR_MS],
  ])
  expect(findUnsettled(loop, movedAt, { to, restMs: toRestMs(1) })).toEqual(new Set([1]))
  expect(findUnsettled(loop, movedAt, { to, restMs: toRestMs(60) })).toEqual(new Set())
  expect(findUnsettled(loop, movedAt, { to, restMs: toRestMs(1, 2 * HOUR_MS) })).toEqual(new Set())
})

test('no slot of a timetable waits for floors, nor do rounds that look at each return by itself', () => {
  expect(waitsForFloors({ kind: 'temperature', target: 'return' })).toBe(true)
  expect(waitsForFloors({ kind: 'energy', heatWM2: 30 })).toBe(true)
  expect(waitsForFloors({ kind: 'temperature', target: 'return', method: 'proportional' })).toBe(false)
  expect(waitsForFloors({ kind: 'sequence', groups: [], frostC: 8 })).toBe(false)
})

test('a valve was last elsewhere before it came to where it stands, whatever it did before that', async () => {
  const field = await createTestRollups()
  const now = field.clock.now()
  const told: Readonly<Record<number, readonly number[]>> = {
    1: [50, 50, 70, 70, 60, 60],
    // Its potentiometer sways.
    2: [50, 51, 49, 50, 51, 50],
    3: [30, 50, 50, 50, 50, 50],
  }
  await field.insert([
    ...Object.entries(told).flatMap(([device, values]) =>
      values.map((value, hour): TestReading => [Number(device), OPENING, now - (5 - hour) * HOUR_MS, value]),
    ),
    [2, OPENING, now - HOUR_MS / 2, 0, quality.sensorFault],
  ])
  const span = { from: now - 10 * HOUR_MS, to: now }
  const found = await readLastMoves(field.client, [1, 2, 3, 4], span)
  expect(found).toEqual(
    new Map([
      [1, now - 2 * HOUR_MS],
      [3, now - 5 * HOUR_MS],
    ]),
  )
  expect(await readLastMoves(field.client, [1, 3], { from: now - 1.5 * HOUR_MS, to: now })).toEqual(new Map())
  await field.close()
})
