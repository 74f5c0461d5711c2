import { expect, test } from 'vitest'
import type { StepGoal } from '../step/step-targets.ts'
import { quantityOf, type SpreadOrder, spreadOfGoal } from './goal-spread.ts'
import { createSampleStation, firstStep } from './sample-station.testkit.ts'

const of = (...values: number[]): Float64Array => Float64Array.from(values)

/** Three consumers of 100, 100 and 200 m² with supplies of 50, 48 and 46 °C. */
function spread(goal: StepGoal, counts?: Uint8Array): number {
  const { records, readings } = firstStep(createSampleStation(3, 1))
  const order: SpreadOrder = {
    goal,
    records: { ...records, areaM2: of(100, 100, 200) },
    readings: { ...readings, supplyC: of(50, 48, 46) },
    targetKgS: of(1, 2, 4),
    counts,
  }
  const point = { flowKgS: of(1.1, 1.8, 4), returnC: of(42, 38, 40), roomC: of(22, 18, 21) }
  return spreadOfGoal(order, point)
}

test('temperatures spread by their standard deviation, weighted by area', () => {
  // Returns: mean 40; (100·4 + 100·4 + 0)/400 = 2.
  expect(spread({ kind: 'temperature', target: 'return' })).toBeCloseTo(Math.sqrt(2), 12)
  // Rooms: mean 20.5; (100·2.25 + 100·6.25 + 200·0.25)/400 = 2.25.
  expect(spread({ kind: 'temperature', target: 'room' })).toBeCloseTo(1.5, 12)
  // Means of supply and return 46, 43, 43: mean 43.75; (100·5.0625 + 300·0.5625)/400 = 1.6875.
  expect(spread({ kind: 'temperature', target: 'mean' })).toBeCloseTo(Math.sqrt(1.6875), 12)
})

test('an intended offset is no spread', () => {
  for (const [target, offsets] of [
    ['return', [2, -2, 0]],
    ['room', [1.5, -2.5, 0.5]],
    ['mean', [2.25, -0.75, -0.75]],
  ] as const)
    expect(spread({ kind: 'temperature', target, offsetK: of(...offsets) })).toBeCloseTo(0, 12)
})

test('flows spread by the root mean square of their deviation from their targets, each consumer alike', () => {
  // +10 %, −10 % and 0 %.
  const expected = Math.sqrt(0.02 / 3)
  expect(spread({ kind: 'flow' })).toBeCloseTo(expected, 12)
  expect(spread({ kind: 'energy', heatWM2: 40 })).toBeCloseTo(expected, 12)
})

test('only counted consumers spread, and none at all have no spread', () => {
  const goal = { kind: 'temperature', target: 'return' } as const
  expect(spread(goal, Uint8Array.of(1, 1, 0))).toBeCloseTo(2, 12)
  expect(spread({ kind: 'flow' }, Uint8Array.of(1, 0, 1))).toBeCloseTo(Math.sqrt(0.005), 12)
  expect(spread(goal, new Uint8Array(3))).toBeNaN()
})

test('a target flow of zero has no deviation', () => {
  const { records, readings } = firstStep(createSampleStation(3, 1))
  const point = { flowKgS: of(1, 1, 1), returnC: of(1, 1, 1), roomC: of(1, 1, 1) }
  const order = { goal: { kind: 'flow' }, records, readings, targetKgS: of(0, 0.5, 1) } as const
  expect(spreadOfGoal(order, point)).toBeCloseTo(Math.sqrt(0.5), 12)
})

test('the quantity that a goal makes equal', () => {
  for (const target of ['return', 'mean', 'room'] as const)
    expect(quantityOf({ kind: 'temperature', target })).toBe(target)
  expect(quantityOf({ kind: 'flow' })).toBe('target-flow')
  expect(quantityOf({ kind: 'energy', heatWM2: 40 })).toBe('target-flow')
})
