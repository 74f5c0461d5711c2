import { pascal } from '@isotherm/kernel/quantities'
import { expect, test } from 'vitest'
import { mostHead, solveLoop, sourceAt } from './loop-flows.ts'
import { createSampleLoop, filled } from './sample-loop.testkit.ts'

const COUNT = 8
const loop = createSampleLoop(COUNT)
const pump = { h0: 60_000, h1: 0, h2: 500 }

test('the flows of consumers add up to the flow of the loop, and a shut valve has none', () => {
  const openings = filled(COUNT, 0.6)
  openings[3] = 0
  const { flowKgS, totalKgS, headPa } = solveLoop(loop, openings, { kind: 'head', head: pascal(100_000) })
  expect(flowKgS.reduce((sum, flow) => sum + flow, 0)).toBeCloseTo(totalKgS, 6)
  expect(headPa).toBeCloseTo(100_000, 3)
  expect(flowKgS[3]).toBeLessThan(0.1 * (flowKgS[2] ?? 0))
  expect(Math.min(...flowKgS)).toBeGreaterThanOrEqual(0)
})

test('the available head of a pump is its setting, or follows from the flow at one speed', () => {
  expect(mostHead({ kind: 'free', mostHeadPa: 90_000 }, 5)).toBe(90_000)
  expect(mostHead({ kind: 'fixed-head', headPa: 70_000 }, 5)).toBe(70_000)
  expect(mostHead({ kind: 'fixed-speed', pump, speed: 1 }, 0)).toBe(60_000)
  expect(mostHead({ kind: 'fixed-speed', pump, speed: 1 }, 5)).toBe(47_500)
})

test('a loop is solved for a head, except if its pump runs at one speed', () => {
  expect(sourceAt({ kind: 'free', mostHeadPa: 90_000 }, 50_000)).toEqual({ kind: 'head', head: 50_000 })
  expect(sourceAt({ kind: 'fixed-speed', pump, speed: 0.8 }, 50_000)).toEqual({
    kind: 'pump',
    pump,
    speed: 0.8,
  })
})
