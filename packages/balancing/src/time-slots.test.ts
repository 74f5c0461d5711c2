import { expect, test } from 'vitest'
import { type InvertRequest, invert } from './invert.ts'
import { filled, makeLoop } from './made-loop.testkit.ts'
import { cooledTo, preheatTime, slotAt, slotBoundaries, slotTargets } from './time-slots.ts'

const school = [
  { fromMinute: 5 * 60, held: 'day' },
  { fromMinute: 18 * 60, held: 'night' },
]

test('a slot holds until the next one, over the end of the week too', () => {
  expect(slotAt(school, 5 * 60)).toBe('day')
  expect(slotAt(school, 17 * 60 + 59)).toBe('day')
  expect(slotAt(school, 3 * 24 * 60)).toBe('night')
  expect(slotAt(school, 60)).toBe('night')
  expect(slotAt(school, 7 * 24 * 60 + 6 * 60)).toBe('day')
  expect(slotAt([], 0)).toBeUndefined()
})

test('openings are solved anew wherever any group changes', () => {
  expect(slotBoundaries([school, [{ fromMinute: 360, held: 'day' }, ...school.slice(1)]])).toEqual([
    300, 360, 1080,
  ])
})

test('preheating lasts τ·ln of how far the boost is from now over how far from the wish', () => {
  const preheat = { timeConstantS: 36_000, nowC: 12, wantedC: 18, boostedC: 24 }
  expect(preheatTime(preheat)).toBeCloseTo(36_000 * Math.LN2, 9)
  expect(preheatTime({ ...preheat, nowC: 19 })).toBe(0)
  expect(preheatTime({ ...preheat, boostedC: 18 })).toBe(Number.POSITIVE_INFINITY)
})

test('a building left alone cools towards the outside', () => {
  expect(cooledTo(100, 20, 0, 100)).toBeCloseTo(20 / Math.E, 12)
})

test('when a group is off the others keep their flows, with openings and head of their own', () => {
  const count = 16
  const loop = makeLoop(count)
  const isOff = Uint8Array.from({ length: count }, (_, i) => (i < 8 ? 1 : 0))
  const request: Omit<InvertRequest, 'targetKgS'> = {
    ...{
      openings: filled(count, 0.6),
      isFixed: new Uint8Array(count),
      leastOpening: 0.01,
      indexOpening: 0.95,
    },
    ...{ servedShare: 1, shortRms: 0, shortage: 'shared', pump: { kind: 'free', mostHeadPa: 1e6 } },
  }
  const day = invert(loop, { ...request, targetKgS: filled(count, 1) })
  const night = invert(loop, {
    ...request,
    targetKgS: slotTargets(filled(count, 1), isOff, filled(count, 0.1)),
  })
  expect(night.headPa).toBeLessThan(day.headPa)
  for (const [i, flow] of night.flows.flowKgS.entries()) expect(flow).toBeCloseTo(i < 8 ? 0.1 : 1, 3)
})
