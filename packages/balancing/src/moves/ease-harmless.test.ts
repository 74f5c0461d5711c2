import { pascal } from '@isotherm/kernel/quantities'
import { expect, test } from 'vitest'
import { solveLoop } from '../loop/loop-flows.ts'
import { createSampleLoop, filled } from '../loop/sample-loop.testkit.ts'
import { easeHarmless } from './ease-harmless.ts'

const COUNT = 16
/** The last consumer of a street has cold rooms. */
const COLD = 7
const loop = createSampleLoop(COUNT)
const solve = (openings: ArrayLike<number>): Float64Array =>
  solveLoop(loop, openings, { kind: 'head', head: pascal(120_000) }).flowKgS
const moves = [0, 1, 2, 3, 4, 5].map((consumer) => ({ consumer, from: 0.4, to: 0.7 }))
const openings = filled(COUNT, 0.6)
for (const { consumer, from } of moves) openings[consumer] = from
const flowAfter = (done: ReturnType<typeof easeHarmless>): number => {
  const at = openings.slice()
  for (const { consumer, to } of done) at[consumer] = to
  return solve(at)[COLD] ?? Number.NaN
}
const nowKgS = solve(openings)
/** The flow of the cold consumer before the round, so that this share of what the wave takes is too much. */
const beforeWith = (share: number): Float64Array => {
  const before = nowKgS.slice()
  const whole = flowAfter(moves)
  before[COLD] = (whole + share * ((nowKgS[COLD] ?? 0) - whole)) / 0.99
  return before
}
const order = { moves, openings, cold: [COLD], solve, beforeKgS: beforeWith(0) }

test('the wave of the example would take flow from the cold consumer', () => {
  expect(flowAfter(moves)).toBeLessThan(0.97 * (nowKgS[COLD] ?? 0))
})

test('valves open as planned where cold consumers keep 0.99 of their flow before, or where no rooms are cold', () => {
  expect(easeHarmless({ ...order, beforeKgS: beforeWith(-0.01) })).toEqual(moves)
  expect(easeHarmless({ ...order, beforeKgS: nowKgS, cold: [] })).toEqual(moves)
})

test('otherwise all open a common share of their travel, which leaves cold consumers 0.99 of their flow', () => {
  const beforeKgS = beforeWith(0.5)
  const eased = easeHarmless({ ...order, beforeKgS })
  const shares = eased.map(({ from, to }) => (to - from) / 0.3)
  expect(new Set(shares.map((share) => share.toFixed(6))).size).toBe(1)
  expect(flowAfter(eased)).toBeGreaterThanOrEqual(0.99 * (beforeKgS[COLD] ?? 0))
  const further = eased.map((move) => ({ ...move, to: move.to + 0.3 / 64 }))
  expect(flowAfter(further)).toBeLessThan(0.99 * (beforeKgS[COLD] ?? 0))
})

test('a consumer that already has less than before the round keeps 0.99 of what it has', () => {
  const beforeKgS = nowKgS.map((flow) => 2 * flow)
  const eased = easeHarmless({ ...order, beforeKgS })
  expect(eased).toHaveLength(moves.length)
  expect(flowAfter(eased)).toBeGreaterThanOrEqual(0.99 * (nowKgS[COLD] ?? 0))
})

test('nothing opens if the least opening takes too much', () => {
  const steep = {
    ...order,
    beforeKgS: nowKgS,
    solve: (at: Float64Array) => nowKgS.map((flow, i) => (at[0] === 0.4 || i !== COLD ? flow : flow / 2)),
  }
  expect(easeHarmless(steep)).toEqual([])
})
