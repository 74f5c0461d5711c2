import { pascal } from '@isotherm/kernel/quantities'
import { expect, test } from 'vitest'
import { maxHead, solveLoop, sourceAt } from './loop-flows.ts'
import { consumerS } from './loop-model.ts'
import { createSampleLoop, filled } from './sample-loop.testkit.ts'

const COUNT = 8
const pump = { h0: 60_000, h1: 0, h2: 500 }

test('the flows of consumers add up to the flow of the loop, and a shut valve has none', () => {
  const openings = filled(COUNT, 0.6)
  openings[3] = 0
  const head = { kind: 'head', head: pascal(100_000) } as const
  const { flowKgS, totalKgS, headPa } = solveLoop(createSampleLoop(COUNT), openings, head)
  expect(flowKgS.reduce((sum, flow) => sum + flow, 0)).toBeCloseTo(totalKgS, 6)
  expect(headPa).toBeCloseTo(100_000, 3)
  expect(flowKgS[3]).toBeLessThan(0.1 * (flowKgS[2] ?? 0))
  expect(Math.min(...flowKgS)).toBeGreaterThanOrEqual(0)
})

test('the head at a node is what circuit and valve of its consumer take, and falls along a street', () => {
  const loop = createSampleLoop(COUNT)
  const openings = filled(COUNT, 0.6)
  const { flowKgS, nodeHeadPa } = solveLoop(loop, openings, { kind: 'head', head: pascal(100_000) })
  const heads = flowKgS.map((flow, i) => consumerS(loop, i, 0.6) * flow ** 2)
  heads.forEach((headPa, i) => {
    expect(nodeHeadPa[loop.network.circuitNode[i] ?? 0]).toBeCloseTo(headPa, 2)
  })
  expect([...heads]).toEqual([...heads].sort((one, other) => other - one))
  expect(Math.max(...heads)).toBeLessThan(100_000)
})

test('a valve without a known opening counts as shut', () => {
  const loop = createSampleLoop(COUNT)
  const { flowKgS } = solveLoop(loop, filled(COUNT - 1, 0.6), { kind: 'head', head: pascal(100_000) })
  expect(flowKgS[COUNT - 1]).toBe(0)
})

test('the available head of a pump is its setting, or follows from the flow at one speed', () => {
  expect(maxHead({ kind: 'free', maxHeadPa: 90_000 }, 5)).toBe(90_000)
  expect(maxHead({ kind: 'fixed-head', headPa: 70_000 }, 5)).toBe(70_000)
  expect(maxHead({ kind: 'fixed-speed', pump, speed: 1 }, 0)).toBe(60_000)
  expect(maxHead({ kind: 'fixed-speed', pump, speed: 1 }, 5)).toBe(47_500)
})

test('a loop is solved for a head, except if its pump runs at one speed', () => {
  expect(sourceAt({ kind: 'free', maxHeadPa: 90_000 }, 50_000)).toEqual({ kind: 'head', head: 50_000 })
  expect(sourceAt({ kind: 'fixed-head', headPa: 70_000 }, 50_000)).toEqual({ kind: 'head', head: 50_000 })
  expect(sourceAt({ kind: 'fixed-speed', pump, speed: 0.8 }, 50_000)).toEqual({
    kind: 'pump',
    pump,
    speed: 0.8,
  })
})
