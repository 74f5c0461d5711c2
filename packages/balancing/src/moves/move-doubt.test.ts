import { pascal } from '@isotherm/kernel/quantities'
import { createRandom } from '@isotherm/kernel/random'
import { expect, test } from 'vitest'
import { solveLoop } from '../loop/loop-flows.ts'
import { consumerS } from '../loop/loop-model.ts'
import { createSampleLoop } from '../loop/sample-loop.testkit.ts'
import { isEnoughAtWorst } from './move-doubt.ts'
import { planWaves } from './wave-plan.ts'

const COUNT = 16
const HEAD_PA = 120_000
const loop = createSampleLoop(COUNT)
const solve = (openings: Float64Array) => solveLoop(loop, openings, { kind: 'head', head: pascal(HEAD_PA) })
const from = Float64Array.from({ length: COUNT }, () => 0.5)
const doubt = { opens: 1.3, closes: 0.7, own: 1 / 1.3 }

const of = new Set([3, 10])

/** Whether both watched consumers have some flows, kg/s, at worst. */
const isEnoughFor = (to: Float64Array, kgS: (consumer: number) => number, own = doubt.own): boolean =>
  isEnoughAtWorst(loop, { from, to }, { ...doubt, own }, { of, isEnough: (flow, i) => flow >= kgS(i), solve })

test('no consumer gets less than was found enough, if moves differ from planned within the doubt', () => {
  const random = createRandom(7)
  const nowKgS = solve(from).flowKgS
  let enough = 0
  for (let round = 0; round < 400; round++) {
    const to = from.map((now) => (random() < 0.5 ? now : 0.15 + 0.7 * random()))
    if (!isEnoughFor(to, (i) => nowKgS[i] ?? 0)) continue
    enough++
    for (const i of of) {
      const moved = to.map((other, at) => {
        const before = from[at] ?? other
        const [low, high] = other > before ? [1 / doubt.opens, doubt.opens] : [doubt.closes, 1 / doubt.closes]
        const share = low + (high - low) * random()
        return of.has(at) ? other : Math.min(1, Math.max(0.05, before + share * (other - before)))
      })
      const [now, planned] = [from[i] ?? 0, to[i] ?? 0]
      const own = planned > now ? now + doubt.own * (planned - now) : planned
      expect(solve(moved.with(i, own)).flowKgS[i]).toBeGreaterThanOrEqual((1 - 1e-6) * (nowKgS[i] ?? 0))
    }
  }
  expect(enough).toBeGreaterThan(10)
})

test('the flow is solved where the lower bound is not enough', () => {
  const now = solve(from).flowKgS[3] ?? 0
  const min = (i: number): number => (i === 3 ? now : 0)
  // Open, it takes so much that the head at it falls; where that does not help, the head stays.
  const alone = from.with(3, 0.9)
  const bound = (solve(alone).flowKgS[3] ?? 0) * Math.sqrt(consumerS(loop, 3, 0.9) / consumerS(loop, 3, 0.5))
  expect(bound).toBeLessThan(now)
  expect(isEnoughFor(alone, min, 0)).toBe(true)
  expect(isEnoughFor(alone.with(4, 0.55), min, 0)).toBe(false)
  expect(isEnoughFor(alone.with(4, 0.55), min)).toBe(true)
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
