import { metrics, quality } from '@isotherm/contract/metrics'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { createTestRollups, type TestReading } from '../../history/rollups/rollups.testkit.ts'
import { findUnsettled, isHeadFollowed, toRestMs, waitsForFloors } from './floor-rest.ts'
import { readHeads } from './head-history.ch.ts'
import { readLastMoves } from './last-moves.ch.ts'

const OPENING = metrics['valve.opening'].id
const toRow = (deviceId: number, emitter: 'floor' | 'radiator') => ({ deviceId, emitter }) as never

test('only floors wait until their screeds have settled, no longer than the settling time of their round', () => {
  const loop = { consumers: [toRow(1, 'floor'), toRow(2, 'floor'), toRow(3, 'radiator'), toRow(4, 'floor')] }
  const to = 100 * HOUR_MS
  const movedAt = new Map([
    [1, to - 5 * HOUR_MS],
    [2, to - 30 * HOUR_MS],
    [3, to - 5 * HOUR_MS],
  ])
  const none = { ts: [], value: [] }
  expect(findUnsettled(loop, movedAt, { to, restMs: toRestMs(1) }, none)).toEqual(new Set([1]))
  expect(findUnsettled(loop, movedAt, { to, restMs: toRestMs(60) }, none)).toEqual(new Set())
  expect(findUnsettled(loop, movedAt, { to, restMs: toRestMs(1, 2 * HOUR_MS) }, none)).toEqual(new Set())
  const lowered = { ts: [to - 28 * HOUR_MS, to - 5 * HOUR_MS], value: [80, 50] }
  expect(findUnsettled(loop, movedAt, { to, restMs: toRestMs(1) }, lowered)).toEqual(new Set([1, 2, 4]))
})

/** Heads of every quarter of an hour for 30 hours. */
const heads = (of: (hoursAgo: number) => number) => {
  const hours = Array.from({ length: 120 }, (_, step) => 30 - step / 4)
  return { ts: hours.map((ago) => -ago * HOUR_MS), value: hours.map(of) }
}
const isFollowed = (of: (hoursAgo: number) => number) =>
  isHeadFollowed(heads(of), { to: 0, restMs: toRestMs(1) })

test('floors wait after a change of the head while it moves their returns, and not for changes by the weather', () => {
  const since = (hours: number, before: number) => (ago: number) => (ago > hours ? before : 50)
  expect([1, 6, 12, 24].map((hours) => isFollowed(since(hours, 80)))).toEqual([false, false, false, true])
  expect([1, 6].map((hours) => isFollowed(since(hours, 53)))).toEqual([true, true])
  expect(isFollowed((ago) => 50 + 4 * Math.sin((2 * Math.PI * ago) / 24))).toBe(true)
  // A pump that changes to a fixed speed holds no head; of others nothing is known.
  expect(isFollowed((ago) => (ago > 3 ? 80 : 0))).toBe(true)
  expect(isHeadFollowed({ ts: [], value: [] }, { to: 0, restMs: toRestMs(1) })).toBe(true)
})

test('neither slots of a timetable nor rounds by single returns wait for floors', () => {
  expect(waitsForFloors({ kind: 'temperature', target: 'return' })).toBe(true)
  expect(waitsForFloors({ kind: 'energy', heatWM2: 30 })).toBe(true)
  expect(waitsForFloors({ kind: 'temperature', target: 'return', method: 'proportional' })).toBe(false)
  expect(waitsForFloors({ kind: 'sequence', groups: [], frostC: 8 })).toBe(false)
})

test('the last other opening of a valve counts, whatever it did before', async () => {
  const field = await createTestRollups()
  const now = field.clock.now()
  const openings: Readonly<Record<number, readonly number[]>> = {
    1: [50, 50, 70, 70, 60, 60],
    // Its potentiometer is noisy.
    2: [50, 51, 49, 50, 51, 50],
    3: [30, 50, 50, 50, 50, 50],
  }
  await field.insert([
    ...Object.entries(openings).flatMap(([device, values]) =>
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

test('heads of a controller are read in steps of the time range, without doubtful ones', async () => {
  const field = await createTestRollups()
  const now = field.clock.now()
  const HEAD = metrics['pump.target'].id
  await field.insert([
    ...[29, 28, 5, 1].map((ago): TestReading => [9, HEAD, now - ago * HOUR_MS, ago > 5 ? 80 : 50]),
    [9, HEAD, now - 4 * HOUR_MS, 999, quality.sensorFault],
    [8, HEAD, now - 2 * HOUR_MS, 20],
    [9, HEAD, now - 40 * HOUR_MS, 20],
  ])
  const span = { from: now - 30 * HOUR_MS, to: now }
  const { ts, value } = await readHeads(field.client, 9, span)
  expect(value).toEqual([80, 80, 50, 50])
  for (const [index, ago] of [29, 28, 5, 1].entries())
    expect(Math.abs((ts[index] ?? 0) - (now - ago * HOUR_MS)), `${ago} h`).toBeLessThanOrEqual(HOUR_MS / 4)
  expect(isHeadFollowed({ ts, value }, { to: now, restMs: toRestMs(1) })).toBe(false)
  await field.close()
})
