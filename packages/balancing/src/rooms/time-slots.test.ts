import { expect, test } from 'vitest'
import { type InvertRequest, invert } from '../invert/invert.ts'
import { createSampleLoop, filled } from '../loop/sample-loop.testkit.ts'
import { computeSlotTargets } from './slot-targets.ts'
import { cooledTo, preheatTime, slotAt, slotBoundaries, toEntries } from './time-slots.ts'

const school = [
  { fromMinute: 5 * 60, held: 'day' },
  { fromMinute: 18 * 60, held: 'night' },
]

test('a slot lasts until the next one, also across the end of the week', () => {
  expect(slotAt(school, 5 * 60)).toBe('day')
  expect(slotAt(school, 17 * 60 + 59)).toBe('day')
  expect(slotAt(school, 3 * 24 * 60)).toBe('night')
  expect(slotAt(school, 60)).toBe('night')
  expect(slotAt(school, 7 * 24 * 60 + 6 * 60)).toBe('day')
  expect(slotAt([], 0)).toBeUndefined()
})

test('a minute before the week begins belongs to the slot of Sunday', () => {
  expect(slotAt(school, -1)).toBe('night')
  expect(slotAt(school, -7 * 24 * 60 + 6 * 60)).toBe('day')
})

test('between slots a group is at its base level, but not between slots that adjoin', () => {
  const slots = [
    { fromMinute: 600, toMinute: 720, held: 'noon' },
    { fromMinute: 300, toMinute: 600, held: 'day' },
    { fromMinute: 7 * 1440 - 60, toMinute: 7 * 1440, held: 'late' },
  ]
  expect(toEntries(slots, 'base')).toEqual([
    { fromMinute: 0, held: 'base' },
    { fromMinute: 300, held: 'day' },
    { fromMinute: 600, held: 'noon' },
    { fromMinute: 720, held: 'base' },
    { fromMinute: 7 * 1440 - 60, held: 'late' },
  ])
  expect(toEntries([], 'base')).toEqual([{ fromMinute: 0, held: 'base' }])
})

test('a boundary of any group is a boundary of the sequence', () => {
  expect(slotBoundaries([school, [{ fromMinute: 360, held: 'day' }, ...school.slice(1)]])).toEqual([
    300, 360, 1080,
  ])
})

test('boundaries are sorted by time, without duplicates', () => {
  const early = [
    { fromMinute: 1_200, held: 'evening' },
    { fromMinute: 90, held: 'night' },
  ]
  expect(slotBoundaries([early, early, [{ fromMinute: 300, held: 'day' }]])).toEqual([90, 300, 1_200])
  expect(slotBoundaries([])).toEqual([])
})

test('the preheat time is τ·ln of the ratio (boosted − present)/(boosted − target) of temperatures', () => {
  const preheat = { timeConstantS: 36_000, nowC: 12, wantedC: 18, boostedC: 24 }
  expect(preheatTime(preheat)).toBeCloseTo(36_000 * Math.LN2, 9)
  expect(preheatTime({ ...preheat, nowC: 19 })).toBe(0)
  expect(preheatTime({ ...preheat, boostedC: 18 })).toBe(Number.POSITIVE_INFINITY)
})

test('a building without heat cools towards the outdoor temperature', () => {
  expect(cooledTo(100, 20, 0, 100)).toBeCloseTo(20 / Math.E, 12)
})

test('if a group is set back, the others keep their flows, with new openings and a lower head', () => {
  const count = 16
  const loop = createSampleLoop(count)
  const unknown = filled(count, Number.NaN)
  const { flowKgS: nightKgS } = computeSlotTargets(
    { outdoorC: 6, supplyC: unknown, coefficient: unknown, exponent: unknown, lossWK: unknown },
    {
      share: Float64Array.from({ length: count }, (_, i) => (i < 8 ? 0.1 : 1)),
      roomC: unknown,
      fullKgS: filled(count, 1),
      nowKgS: filled(count, 1),
      frostC: 5,
    },
    { minKgS: filled(count, 0), maxKgS: filled(count, 2) },
  )
  const request: Omit<InvertRequest, 'targetKgS'> = {
    openings: filled(count, 0.6),
    isFixed: new Uint8Array(count),
    minOpening: 0.01,
    indexOpening: 0.95,
    servedShare: 1,
    shortRms: 0,
    shortage: 'shared',
    pump: { kind: 'free', maxHeadPa: 1e6 },
  }
  const day = invert(loop, { ...request, targetKgS: filled(count, 1) })
  const night = invert(loop, { ...request, targetKgS: nightKgS })
  expect(night.headPa).toBeLessThan(day.headPa)
  for (const [i, flow] of night.flows.flowKgS.entries()) expect(flow).toBeCloseTo(i < 8 ? 0.1 : 1, 3)
})
