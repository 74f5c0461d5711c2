import { pascal } from '@isotherm/kernel/quantities'
import { createRandom } from '@isotherm/kernel/random'
import { expect, test } from 'vitest'
import { solveLoop } from '../loop/loop-flows.ts'
import { createSampleLoop } from '../loop/sample-loop.testkit.ts'
import { findWorstFlows, NO_DOUBT } from './move-doubt.ts'
import { planWaves } from './wave-plan.ts'

const COUNT = 16
const HEAD_PA = 120_000
const loop = createSampleLoop(COUNT)
const solve = (openings: Float64Array) => solveLoop(loop, openings, { kind: 'head', head: pascal(HEAD_PA) })
const from = Float64Array.from({ length: COUNT }, () => 0.5)
const doubt = { opens: 1.3, closes: 0.7 }

test('exact moves give the planned flows', () => {
  const to = from.with(2, 0.8).with(9, 0.3)
  const flows = findWorstFlows(loop, { from, to }, NO_DOUBT, { of: new Set([4, 9]), solve })
  for (const [i, flow] of flows) expect(flow).toBeCloseTo(solve(to).flowKgS[i] ?? 0, 9)
})

test('no consumer gets less than the worst flow if moves differ from planned within the doubt', () => {
  const random = createRandom(7)
  for (let round = 0; round < 60; round++) {
    const to = from.map((now) => (random() < 0.5 ? now : 0.15 + 0.7 * random()))
    const of = new Set([3, 10])
    const worst = findWorstFlows(loop, { from, to }, doubt, { of, solve })
    for (const i of of) {
      const [now, planned] = [from[i] ?? 0, to[i] ?? 0]
      const own = planned > now ? now + (planned - now) / doubt.opens : planned
      const moved = to.map((other, at) => {
        const before = from[at] ?? other
        const [low, high] = other > before ? [1 / doubt.opens, doubt.opens] : [doubt.closes, 1 / doubt.closes]
        const share = low + (high - low) * random()
        return of.has(at) ? other : Math.min(1, Math.max(0.05, before + share * (other - before)))
      })
      expect(solve(moved.with(i, own)).flowKgS[i]).toBeGreaterThanOrEqual((1 - 1e-6) * (worst.get(i) ?? 0))
    }
  }
})

test('no wave takes flow from cold rooms if valves open further and close less than planned', () => {
  const cold = 15
  const now = solve(from).flowKgS[cold] ?? 0
  const moves = Array.from(from, (opening, consumer) => ({
    consumer,
    from: opening,
    to: consumer === cold ? opening : consumer < 10 ? 0.2 : 0.53,
  })).filter(({ to, from: before }) => to !== before)
  const order = {
    openings: from,
    headPa: HEAD_PA,
    moves,
    finalHeadPa: HEAD_PA,
    pump: { kind: 'fixed-head', headPa: HEAD_PA } as const,
    closingWaves: 3,
    cold: new Set([cold]),
    solve,
  }
  const lowest = (given: typeof order & { readonly doubt?: typeof doubt }): number => {
    const position = from.slice()
    return Math.min(
      ...planWaves(loop, given).steps.flatMap((step) => {
        if (step.kind === 'pump') return []
        for (const { consumer, to } of step.moves) {
          const before = from[consumer] ?? to
          position[consumer] = before + (to > before ? doubt.opens : doubt.closes) * (to - before)
        }
        return (solve(position).flowKgS[cold] ?? 0) / now
      }),
    )
  }
  expect(lowest({ ...order, doubt })).toBeGreaterThan(1 - 0.012)
  expect(lowest(order)).toBeLessThan(1 - 0.012)
})
