import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findRotations, type GroupValve, type OwnStep, type ValveReading } from './find-rotations.ts'

const valves: readonly GroupValve[] = [
  { deviceId: 1, groupId: 10, flowM3H: 6 },
  { deviceId: 2, groupId: 10, flowM3H: 6 },
  { deviceId: 3, groupId: 20, flowM3H: 6 },
]
const NOW = 100 * HOUR_MS
const opening = (deviceId: number, minute: number, value: number): ValveReading => ({
  deviceId,
  ts: minute * MINUTE_MS,
  metric: 'opening',
  value,
})
const flow = (deviceId: number, minute: number, value: number): ValveReading => ({
  deviceId,
  ts: minute * MINUTE_MS,
  metric: 'flow',
  value,
})
const find = (readings: readonly ValveReading[], own: readonly OwnStep[] = [], now = NOW) =>
  findRotations(readings, { valves, own, now })
const shape = (readings: readonly ValveReading[], own?: readonly OwnStep[], now?: number) =>
  find(readings, own, now).map(({ steps }) =>
    steps.map(({ groupId, valveIds, fromMs, toMs }) => [
      groupId,
      valveIds.join(),
      fromMs / MINUTE_MS,
      toMs / MINUTE_MS,
    ]),
  )

it('finds groups that follow each other as one rotation, and the next one hours later', () => {
  const readings = [
    opening(1, 10, 100),
    opening(2, 10, 100),
    opening(1, 15, 0),
    opening(2, 15, 0),
    opening(3, 15, 100),
    opening(3, 20, 0),
    opening(3, 130, 100),
    opening(3, 135, 0),
  ]
  expect(shape(readings)).toEqual([
    [
      [10, '1,2', 10, 15],
      [20, '3', 15, 20],
    ],
    [[20, '3', 130, 135]],
  ])
})

it('counts water by the meter where it reported, else by the stated flow for the opening', () => {
  const [metered] = find([opening(1, 0, 100), flow(1, 0, 9), flow(1, 30, 3), opening(1, 60, 0)])
  expect(metered?.steps[0]?.volumeM3).toBeCloseTo(6, 9)
  expect(metered?.steps[0]?.measuredM3).toBeCloseTo(6, 9)
  const [half] = find([opening(1, 0, 50), opening(1, 60, 0)])
  expect(half?.steps[0]).toMatchObject({ volumeM3: 3, measuredM3: 0 })
  const [late] = find([opening(1, 0, 100), flow(1, 30, 4), opening(1, 60, 0)])
  expect(late?.steps[0]?.volumeM3).toBeCloseTo(5, 9)
  expect(late?.steps[0]?.measuredM3).toBeCloseTo(2, 9)
})

it('leaves out what a run of the product opened, also while the run has the valve still', () => {
  const readings = [opening(1, 10, 100), opening(1, 15, 0)]
  const own = { valveIds: [1, 2], openedMs: 10 * MINUTE_MS - 2_000, closedMs: 15 * MINUTE_MS }
  expect(shape(readings, [own])).toEqual([])
  expect(shape(readings, [{ ...own, closedMs: Number.POSITIVE_INFINITY }])).toEqual([])
  expect(shape(readings, [{ ...own, valveIds: [2] }])).toHaveLength(1)
  expect(shape(readings, [{ ...own, openedMs: 20 * MINUTE_MS, closedMs: 25 * MINUTE_MS }])).toHaveLength(1)
})

it('does not take a valve for open that was silent for hours, nor a rotation for over that is under way', () => {
  expect(shape([opening(1, 0, 100), opening(1, 60, 100), opening(1, 600, 0)])).toEqual([[[10, '1', 0, 60]]])
  const open = [opening(1, 0, 100), opening(1, 60, 100)]
  expect(shape(open, [], 90 * MINUTE_MS)).toEqual([])
  expect(shape(open, [], 200 * MINUTE_MS)).toEqual([[[10, '1', 0, 60]]])
  const closed = [opening(1, 0, 100), opening(1, 60, 0)]
  expect(shape(closed, [], 61 * MINUTE_MS)).toEqual([])
  expect(shape(closed, [], 62 * MINUTE_MS)).toHaveLength(1)
})

it('has no more water than the valves can have given, and nothing twice, for any readings', () => {
  const given = fc.array(
    fc.tuple(
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 0, max: 3_000 }),
      fc.constantFrom('opening' as const, 'flow' as const),
      fc.integer({ min: 0, max: 100 }),
    ),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(given, (drafts) => {
      const readings = drafts
        .map(([deviceId, minute, metric, value]) =>
          metric === 'opening' ? opening(deviceId, minute, value) : flow(deviceId, minute, value / 20),
        )
        .toSorted((one, other) => one.ts - other.ts)
      const rotations = find(readings)
      for (const [index, { fromMs, toMs, steps }] of rotations.entries()) {
        expect(toMs).toBeGreaterThan(fromMs)
        const next = rotations[index + 1]
        if (next) expect(next.fromMs).toBeGreaterThan(toMs + 2 * MINUTE_MS)
        for (const step of steps) {
          const longest = ((step.toMs - step.fromMs) / HOUR_MS) * 6 * step.valveIds.length
          expect(step.volumeM3).toBeLessThanOrEqual(longest + 1e-9)
          expect(step.measuredM3).toBeLessThanOrEqual(step.volumeM3 + 1e-9)
        }
      }
    }),
    { numRuns: 200 },
  )
})
