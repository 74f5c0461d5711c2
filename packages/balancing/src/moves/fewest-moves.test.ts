import { pascal } from '@isotherm/kernel/quantities'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type InvertRequest, invert } from '../invert/invert.ts'
import { solveLoop } from '../loop/loop-flows.ts'
import { createSampleLoop, filled } from '../loop/sample-loop.testkit.ts'
import { type MoveLimits, planMoves } from './fewest-moves.ts'

const COUNT = 24
const loop = createSampleLoop(COUNT)
const HEAD = 220_000
const rest: InvertRequest = {
  targetKgS: filled(COUNT, 1),
  openings: filled(COUNT, 0.6),
  isFixed: new Uint8Array(COUNT),
  leastOpening: 0.1,
  indexOpening: 0.95,
  servedShare: 1,
  shortRms: 0,
  shortage: 'shared',
  pump: { kind: 'fixed-head', headPa: HEAD },
}
/** Openings for one kg/s at each consumer. */
const right = invert(loop, rest).openings
const limits: MoveLimits = {
  step: 0.01,
  dropShare: 0.05,
  allowedRms: 0.03,
  trustSpan: 1,
  visitedLow: filled(COUNT, 0),
  visitedHigh: filled(COUNT, 1),
}

test('a balanced loop is left alone', () => {
  expect(planMoves(loop, { ...rest, openings: right }, limits).moves).toEqual([])
})

test('two valves that somebody turned are turned back, and no other valve moves', () => {
  const openings = right.slice()
  openings[4] = Math.min(1, (right[4] ?? 0) + 0.2)
  openings[19] = (right[19] ?? 0) - 0.2
  const plan = planMoves(loop, { ...rest, openings }, limits)
  expect(plan.moves.map(({ consumer }) => consumer)).toEqual([4, 19])
  for (const { consumer, to } of plan.moves) expect(Math.abs(to - (right[consumer] ?? 0))).toBeLessThan(0.02)
})

test('for any initial openings the plan misses the targets by no more than the limit, in steps of the motor', () => {
  const left = fc.array(fc.double({ min: 0.3, max: 1, noNaN: true }), { minLength: COUNT, maxLength: COUNT })
  fc.assert(
    fc.property(left, (openings) => {
      const plan = planMoves(loop, { ...rest, openings: Float64Array.from(openings) }, limits)
      const again = solveLoop(loop, plan.openings, { kind: 'head', head: pascal(HEAD) })
      const squares = Array.from(again.flowKgS, (flow) => Math.log(flow) ** 2)
      expect(Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / COUNT)).toBeLessThan(0.03)
      for (const { to } of plan.moves) expect(Math.abs(100 * to - Math.round(100 * to))).toBeLessThan(1e-9)
    }),
    { numRuns: 30 },
  )
})

test('no valve moves further than the trust span beyond the openings at which it has worked', () => {
  const openings = filled(COUNT, 1)
  const visited = { visitedLow: filled(COUNT, 1), visitedHigh: filled(COUNT, 1), trustSpan: 0.1 }
  const plan = planMoves(loop, { ...rest, openings }, { ...limits, ...visited })
  expect(plan.heldBack.length).toBeGreaterThan(0)
  expect(Math.min(...plan.openings)).toBeGreaterThan(0.889)
})
