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
  minOpening: 0.1,
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

test('a plan without moves predicts the present openings and flows, and moves valves if their error is too large', () => {
  const openings = right.map((opening) => opening - 0.004)
  const plan = planMoves(loop, { ...rest, openings }, limits)
  const now = solveLoop(loop, openings, { kind: 'head', head: pascal(HEAD) })
  expect(plan.moves).toEqual([])
  expect(plan.openings).toEqual(openings)
  for (const [i, flow] of now.flowKgS.entries()) expect(plan.flows.flowKgS[i]).toBeCloseTo(flow, 9)
  // 1.5 points are 5 % of flow.
  const off = right.map((opening) => opening - 0.015)
  expect(planMoves(loop, { ...rest, openings: off }, limits).moves.length).toBeGreaterThan(0)
})

/** Openings that give each consumer a share of its target flow at the head of `right`. */
const openingsFor = (share: (i: number) => number): Float64Array =>
  invert(loop, { ...rest, targetKgS: Float64Array.from({ length: COUNT }, (_, i) => share(i)) }).openings
const rmsOf = (flowKgS: Float64Array): number =>
  Math.sqrt(flowKgS.reduce((sum, flow) => sum + Math.log(flow) ** 2, 0) / COUNT)

test('a valve whose flow misses its target by less than the drop share stays where it is', () => {
  const openings = openingsFor((i) => (i === 6 ? 1.04 : 1))
  const wide = { ...limits, allowedRms: 1 }
  expect(planMoves(loop, { ...rest, openings }, { ...wide, dropShare: 0.05 }).moves).toEqual([])
  const moved = planMoves(loop, { ...rest, openings }, { ...wide, dropShare: 0.03 })
  expect(moved.moves.map(({ consumer }) => consumer)).toEqual([6])
  expect(moved.moves[0]?.from).toBe(openings[6])
  expect(moved.openings[6]).toBe(moved.moves[0]?.to)
  expect(moved.openings[7]).toBe(openings[7])
})

test('the threshold is halved until the total error is within its limit', () => {
  const openings = openingsFor((i) => (i === 12 ? 1.2 : i % 2 === 0 ? 1.03 : 0.97))
  const at = (allowedRms: number) => planMoves(loop, { ...rest, openings }, { ...limits, allowedRms })
  expect(at(0.06).moves.map(({ consumer }) => consumer)).toEqual([12])
  const balanced = at(0.02)
  expect(balanced.moves.length).toBeGreaterThan(COUNT / 3)
  expect(rmsOf(balanced.flows.flowKgS)).toBeLessThan(0.02)
  // Every threshold leaves some error, but the search ends.
  expect(rmsOf(at(0).flows.flowKgS)).toBeGreaterThan(0)
})

test('coarse steps are rounded so that errors do not add up: the total stays at its target', () => {
  const coarse = { ...limits, step: 0.05, dropShare: 0.001 }
  const { openings, flows } = planMoves(loop, rest, coarse)
  openings.forEach((opening, i) => {
    expect(Math.abs(20 * opening - Math.round(20 * opening))).toBeLessThan(1e-9)
    expect(Math.abs(opening - (right[i] ?? 0))).toBeLessThan(0.05)
  })
  expect(Math.abs(flows.totalKgS / COUNT - 1)).toBeLessThan(0.004)
  expect(rmsOf(flows.flowKgS)).toBeLessThan(0.06)
})

test('no valve goes below the minimum opening, and rounding does not either', () => {
  const targetKgS = filled(COUNT, 1)
  targetKgS[2] = 0.05
  const { openings, overfed } = planMoves(loop, { ...rest, targetKgS, minOpening: 0.3 }, limits)
  expect(openings[2]).toBeCloseTo(0.3, 9)
  expect(overfed).toEqual([2])
})

test('a fixed valve keeps its opening, in steps or not, and is not moved', () => {
  const isFixed = new Uint8Array(COUNT)
  isFixed[5] = 1
  const openings = filled(COUNT, 0.6)
  openings[5] = 0.6789
  const plan = planMoves(
    loop,
    { ...rest, isFixed, openings },
    { ...limits, trustSpan: 0, visitedHigh: openings },
  )
  expect(plan.openings[5]).toBe(0.6789)
  expect(plan.moves.map(({ consumer }) => consumer)).not.toContain(5)
  expect(plan.heldBack).not.toContain(5)
})

test('a starved valve that is open already is not moved, and does not count as an error', () => {
  const clogged = createSampleLoop(COUNT)
  clogged.network.circuitResistance[7] = 40 * (clogged.network.circuitResistance[7] ?? 0)
  const request = { ...rest, servedShare: 0.9 }
  const openings = invert(clogged, request).openings
  const plan = planMoves(clogged, { ...request, openings }, limits)
  expect(plan.starved).toEqual([7])
  expect(plan.openings[7]).toBe(1)
  expect(plan.moves.map(({ consumer }) => consumer)).not.toContain(7)
})

test('with a free pump the head is the one that all valves together need, though not all move', () => {
  const request = { ...rest, openings: right, pump: { kind: 'free', maxHeadPa: 400_000 } } as const
  const whole = invert(loop, request)
  const plan = planMoves(loop, request, { ...limits, dropShare: 0.2, allowedRms: 0.2 })
  expect(plan.headPa).toBe(whole.headPa)
  expect(plan.flows.headPa).toBeCloseTo(whole.headPa, 2)
  expect(plan.moves.length).toBeLessThan(COUNT)
  expect(plan).toMatchObject({ starved: [], spared: [], overfed: [], scale: 1 })
})

test('with a pump that is too weak, flows are planned for the scaled targets', () => {
  const headPa = 0.5 * invert(loop, { ...rest, pump: { kind: 'free', maxHeadPa: 1e6 } }).headPa
  const plan = planMoves(loop, { ...rest, pump: { kind: 'free', maxHeadPa: headPa } }, limits)
  expect(plan.scale).toBeLessThan(0.75)
  for (const flow of plan.flows.flowKgS) expect(Math.abs(flow / plan.scale - 1)).toBeLessThan(0.09)
  expect(rmsOf(plan.flows.flowKgS.map((flow) => flow / plan.scale))).toBeLessThan(0.03)
})

test('a valve held back by the trust region stops at its end, in either direction; others are free', () => {
  const openings = openingsFor((i) => (i === 3 ? 1.8 : i === 9 ? 0.4 : 1))
  const [high, low] = [openings[3] ?? 0, openings[9] ?? 0]
  const visited = { visitedLow: openings, visitedHigh: openings, trustSpan: 0.05 }
  const plan = planMoves(loop, { ...rest, openings }, { ...limits, ...visited })
  expect(plan.heldBack).toEqual([3, 9])
  expect(Math.abs((plan.openings[3] ?? 0) - (high - 0.05))).toBeLessThan(0.011)
  expect(Math.abs((plan.openings[9] ?? 0) - (low + 0.05))).toBeLessThan(0.011)
  expect(plan.moves.map(({ consumer }) => consumer)).toEqual(expect.arrayContaining([3, 9]))
})

/** Targets from 0.6 to 1.4 kg/s. */
const unequal = Float64Array.from({ length: COUNT }, (_, i) => 0.6 + 0.2 * (i % 5))
/** Openings at which each consumer gets this share of its unequal target. */
const openingsForShare = (share: (i: number) => number): Float64Array =>
  invert(loop, { ...rest, targetKgS: unequal.map((flow, i) => share(i) * flow) }).openings

test('flows are compared with their own targets: valves within the drop share stay, and the others move', () => {
  const openings = openingsForShare((i) => (i === 9 ? 1.1 : 1.02))
  const plan = planMoves(loop, { ...rest, targetKgS: unequal, openings }, { ...limits, allowedRms: 0.05 })
  expect(plan.moves.map(({ consumer }) => consumer)).toEqual([9])
  expect((plan.flows.flowKgS[9] ?? 0) / (unequal[9] ?? 1)).toBeCloseTo(1, 1)
})

test('valves that move reach their targets with the flows that the others keep', () => {
  const openings = openingsForShare((i) => (i % 2 === 0 ? 1.2 : 0.96))
  const fine = { ...limits, step: 1e-5, allowedRms: 0.1 }
  const plan = planMoves(loop, { ...rest, targetKgS: unequal, openings }, fine)
  const moved = plan.moves.map(({ consumer }) => consumer)
  expect(moved.length).toBeGreaterThan(3)
  expect(moved.length).toBeLessThan(COUNT - 3)
  for (const i of moved) expect((plan.flows.flowKgS[i] ?? 0) / (unequal[i] ?? 1)).toBeCloseTo(1, 3)
})

test.each([
  ['a fixed valve', { isFixed: new Uint8Array(COUNT).with(6, 1) }, 1.6],
  ['a consumer without a target', { targetKgS: filled(COUNT, 1).with(6, 0) }, 0.02],
  [
    'a consumer with more than its target at the minimum opening',
    { targetKgS: filled(COUNT, 1).with(6, 0.02) },
    0.02,
  ],
] as const)('the flow of %s is no error that makes others move', (_, change, share) => {
  // All others miss their targets by 3 %, which the allowed error of 4 % permits.
  const openings = openingsFor((i) => (i === 6 ? share : 1.03)).map((opening) => Math.max(0.1, opening))
  const plan = planMoves(loop, { ...rest, ...change, openings }, { ...limits, allowedRms: 0.04 })
  expect(plan.moves).toEqual([])
})

test('a starved valve that is almost open stays, and makes no others move', () => {
  const clogged = createSampleLoop(COUNT)
  clogged.network.circuitResistance[7] = 40 * (clogged.network.circuitResistance[7] ?? 0)
  const request = { ...rest, servedShare: 0.9 }
  const { openings } = invert(clogged, { ...request, targetKgS: filled(COUNT, 1.02) })
  const plan = planMoves(
    clogged,
    { ...request, openings: openings.with(7, 0.95) },
    { ...limits, dropShare: 0.1, allowedRms: 0.06 },
  )
  expect(plan.starved).toEqual([7])
  expect(plan.moves).toEqual([])
})

test('a fixed valve may stand outside of the openings at which it has worked', () => {
  const isFixed = new Uint8Array(COUNT).with(5, 1)
  const visitedHigh = filled(COUNT, 1).with(5, 0.3)
  const openings = filled(COUNT, 0.6)
  const plan = planMoves(loop, { ...rest, isFixed, openings }, { ...limits, visitedHigh, trustSpan: 0.1 })
  expect(plan.openings[5]).toBe(0.6)
  expect(plan.heldBack).not.toContain(5)
})

test('a valve gets no command for less than half of a motor step, and one for a little more', () => {
  const [now = 0] = right
  const planFrom = (first: number) =>
    planMoves(
      loop,
      { ...rest, openings: right.with(0, first) },
      { ...limits, step: 0.1, dropShare: 0.004, allowedRms: 1 },
    )
  const to = planFrom(now + 0.2).openings[0] ?? Number.NaN
  expect(10 * to).toBeCloseTo(Math.round(10 * to), 9)
  const commanded = (first: number) => planFrom(first).moves.filter(({ consumer }) => consumer === 0)
  expect(commanded(to + 0.049)).toEqual([])
  expect(planFrom(to + 0.049).openings[0]).toBe(to + 0.049)
  expect(commanded(to + 0.051)).toEqual([{ consumer: 0, from: to + 0.051, to }])
})
