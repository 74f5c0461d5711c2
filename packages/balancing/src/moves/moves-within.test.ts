import { weightedDeviation } from '@isotherm/kernel/statistics'
import { expect, test } from 'vitest'
import type { InvertRequest } from '../invert/invert.ts'
import { createSampleLoop } from '../loop/sample-loop.testkit.ts'
import { planStep } from '../plan/plan-step.ts'
import { createSampleStation, firstStep } from '../plan/sample-station.testkit.ts'
import { type MoveLimits, planMoves } from './fewest-moves.ts'
import { planMovesWithin } from './moves-within.ts'

const COUNT = 24
const spread = (values: Float64Array): number => weightedDeviation(values) ?? Number.NaN

test('valves stay within their ranges, and the others are solved around them', () => {
  const station = createSampleStation(COUNT, 2)
  const order = firstStep(station)
  const free = planStep(order).plan
  // Every third valve may go half of its planned travel.
  const halfway = (to: number, i: number) => (to + (order.openings[i] ?? 0)) / 2
  const limits = {
    min: free.openings.map((to, i) => (i % 3 === 0 && to < (order.openings[i] ?? 0) ? halfway(to, i) : 0)),
    max: free.openings.map((to, i) => (i % 3 === 0 && to > (order.openings[i] ?? 0) ? halfway(to, i) : 1)),
  }
  const { plan, expected } = planStep({ ...order, limits })
  for (const { consumer, to } of plan.moves) {
    expect(to).toBeGreaterThanOrEqual((limits.min[consumer] ?? 0) - 1e-9)
    expect(to).toBeLessThanOrEqual((limits.max[consumer] ?? 1) + 1e-9)
    expect(plan.openings[consumer]).toBe(to)
  }
  const clamped = free.openings.map((to, i) => Math.min(limits.max[i] ?? 1, Math.max(limits.min[i] ?? 0, to)))
  const others = (values: Float64Array) => values.filter((_, i) => i % 3 !== 0)
  const solved = spread(others(station.readAt(plan.openings).returnC))
  expect(solved).toBeLessThan(spread(others(station.readAt(clamped).returnC)))
  expect(spread(others(expected.returnC))).toBeLessThan(0.3)
})

test('a valve outside its range moves to the end of the range if the plan moves it that way, otherwise it stays', () => {
  const station = createSampleStation(COUNT, 4)
  const order = firstStep(station)
  const free = planStep(order).plan
  const isOpened = free.openings.map((to, i) => (to > (order.openings[i] ?? 0) + 0.05 ? 1 : 0))
  const opened = isOpened.indexOf(1)
  const max = new Float64Array(COUNT).fill(1)
  max[opened] = (order.openings[opened] ?? 0) - 0.03
  const left = planStep({ ...order, limits: { min: new Float64Array(COUNT), max } }).plan
  expect(left.moves.map(({ consumer }) => consumer)).not.toContain(opened)
  expect(left.openings[opened]).toBe(order.openings[opened])
  const closed = free.openings.findIndex((to, i) => to > 0.3 && to < (order.openings[i] ?? 0) - 0.05)
  max[closed] = Math.round(100 * (free.openings[closed] ?? 0) - 5) / 100
  const brought = planStep({ ...order, limits: { min: new Float64Array(COUNT), max } }).plan
  expect(brought.openings[closed]).toBeCloseTo(max[closed] ?? 0, 9)
})

test('wide limits change nothing', () => {
  const order = firstStep(createSampleStation(COUNT, 3))
  const limits = { min: new Float64Array(COUNT), max: new Float64Array(COUNT).fill(1) }
  expect(planStep({ ...order, limits }).plan).toEqual(planStep(order).plan)
})

const loop = createSampleLoop(COUNT)
const filledWith = (value: number) => new Float64Array(COUNT).fill(value)
const request: InvertRequest = {
  targetKgS: filledWith(1),
  openings: filledWith(0.6),
  isFixed: new Uint8Array(COUNT),
  minOpening: 0.1,
  indexOpening: 0.95,
  servedShare: 1,
  shortRms: 0,
  shortage: 'shared',
  pump: { kind: 'fixed-head', headPa: 220_000 },
}
const moveLimits: MoveLimits = {
  step: 0.01,
  dropShare: 0.02,
  allowedRms: 0.02,
  trustSpan: 1,
  visitedLow: filledWith(0),
  visitedHigh: filledWith(1),
}
/** One valve that somebody closed by a fifth of its stroke, and one that somebody opened. */
const [SHUT, OPENED] = [3, 17]
function createTurned() {
  const balanced = planMoves(loop, request, moveLimits).openings
  const openings = balanced.slice()
  openings[SHUT] = (balanced[SHUT] ?? 0) - 0.2
  openings[OPENED] = (balanced[OPENED] ?? 0) + 0.2
  /** Openings that both valves had before, plus some: ends of their ranges. */
  const rangeAt = (shut: number, opened: number) => {
    const range = { min: filledWith(0), max: filledWith(1) }
    range.max[SHUT] = (balanced[SHUT] ?? 0) + shut
    range.min[OPENED] = (balanced[OPENED] ?? 0) + opened
    return range
  }
  return { balanced, turned: { ...request, openings }, rangeAt }
}

test('without ranges both valves are turned back', () => {
  const { balanced, turned, rangeAt } = createTurned()
  const { moves, openings } = planMovesWithin(loop, turned, moveLimits, rangeAt(0.1, -0.1))
  expect(moves.map(({ consumer }) => consumer)).toEqual([SHUT, OPENED])
  expect(Math.abs((openings[SHUT] ?? 0) - (balanced[SHUT] ?? 0))).toBeLessThan(0.011)
})

test.each([
  ['an end between two steps of the motor is rounded inwards', 0.105, 0.11],
  ['an end at a step of the motor is reached', 0.1, 0.1],
])('a valve stops at the end of its range: %s', (_, end, reached) => {
  const { balanced, turned, rangeAt } = createTurned()
  const { moves, openings } = planMovesWithin(loop, turned, moveLimits, rangeAt(-end, end))
  expect(openings[SHUT]).toBeCloseTo((balanced[SHUT] ?? 0) - reached, 9)
  expect(openings[OPENED]).toBeCloseTo((balanced[OPENED] ?? 0) + reached, 9)
  const own = moves.filter(({ consumer }) => consumer === SHUT || consumer === OPENED)
  expect(own).toEqual(
    [SHUT, OPENED].map((consumer) => ({
      consumer,
      from: turned.openings[consumer],
      to: openings[consumer],
    })),
  )
  // The others are solved around them; all moves are in the order of the consumers.
  const order = moves.map(({ consumer }) => consumer)
  expect(order.length).toBeGreaterThan(2)
  expect(order).toEqual([...new Set(order)].toSorted((one, other) => one - other))
})

test('a valve beyond the end of its range is moved neither further nor back', () => {
  const { turned, rangeAt } = createTurned()
  const { moves, openings } = planMovesWithin(loop, turned, moveLimits, rangeAt(-0.25, 0.25))
  expect([openings[SHUT], openings[OPENED]]).toEqual([turned.openings[SHUT], turned.openings[OPENED]])
  const moved = moves.map(({ consumer }) => consumer)
  expect(moved).not.toContain(SHUT)
  expect(moved).not.toContain(OPENED)
})

test('a consumer without a range in the arrays has the whole stroke', () => {
  const none = new Float64Array(0)
  expect(planMovesWithin(loop, request, moveLimits, { min: none, max: none })).toEqual(
    planMoves(loop, request, moveLimits),
  )
})
