import { weightedDeviation } from '@isotherm/kernel/statistics'
import { expect, test } from 'vitest'
import { planStep } from '../plan/plan-step.ts'
import { createSampleStation, firstStep } from '../plan/sample-station.testkit.ts'

const COUNT = 24
const spread = (values: Float64Array): number => weightedDeviation(values) ?? Number.NaN

test('valves stay within their ranges, and the others are solved around them', () => {
  const station = createSampleStation(COUNT, 2)
  const order = firstStep(station)
  const free = planStep(order).plan
  // Every third valve may go half of its planned travel.
  const halfway = (to: number, i: number) => (to + (order.openings[i] ?? 0)) / 2
  const limits = {
    least: free.openings.map((to, i) => (i % 3 === 0 && to < (order.openings[i] ?? 0) ? halfway(to, i) : 0)),
    most: free.openings.map((to, i) => (i % 3 === 0 && to > (order.openings[i] ?? 0) ? halfway(to, i) : 1)),
  }
  const { plan, expected } = planStep({ ...order, limits })
  for (const { consumer, to } of plan.moves) {
    expect(to).toBeGreaterThanOrEqual((limits.least[consumer] ?? 0) - 1e-9)
    expect(to).toBeLessThanOrEqual((limits.most[consumer] ?? 1) + 1e-9)
    expect(plan.openings[consumer]).toBe(to)
  }
  const clamped = free.openings.map((to, i) =>
    Math.min(limits.most[i] ?? 1, Math.max(limits.least[i] ?? 0, to)),
  )
  const others = (values: Float64Array) => values.filter((_, i) => i % 3 !== 0)
  const solved = spread(others(station.see(plan.openings).returnC))
  expect(solved).toBeLessThan(spread(others(station.see(clamped).returnC)))
  expect(spread(others(expected.returnC))).toBeLessThan(0.3)
})

test('a valve outside its range moves to the end of the range if the plan moves it that way, otherwise it stays', () => {
  const station = createSampleStation(COUNT, 4)
  const order = firstStep(station)
  const free = planStep(order).plan
  const isOpened = free.openings.map((to, i) => (to > (order.openings[i] ?? 0) + 0.05 ? 1 : 0))
  const opened = isOpened.indexOf(1)
  const most = new Float64Array(COUNT).fill(1)
  most[opened] = (order.openings[opened] ?? 0) - 0.03
  const left = planStep({ ...order, limits: { least: new Float64Array(COUNT), most } }).plan
  expect(left.moves.map(({ consumer }) => consumer)).not.toContain(opened)
  expect(left.openings[opened]).toBe(order.openings[opened])
  const closed = free.openings.findIndex((to, i) => to > 0.3 && to < (order.openings[i] ?? 0) - 0.05)
  most[closed] = Math.round(100 * (free.openings[closed] ?? 0) - 5) / 100
  const brought = planStep({ ...order, limits: { least: new Float64Array(COUNT), most } }).plan
  expect(brought.openings[closed]).toBeCloseTo(most[closed] ?? 0, 9)
})

test('wide limits change nothing', () => {
  const order = firstStep(createSampleStation(COUNT, 3))
  const limits = { least: new Float64Array(COUNT), most: new Float64Array(COUNT).fill(1) }
  expect(planStep({ ...order, limits }).plan).toEqual(planStep(order).plan)
})
