import { pascal } from '@isotherm/kernel/quantities'
import { createRandom, sampleNormal } from '@isotherm/kernel/random'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { approachS } from '../loop/approach-resistance.ts'
import { solveLoop } from '../loop/loop-flows.ts'
import { consumerS } from '../loop/loop-model.ts'
import { createSampleLoop, filled } from '../loop/sample-loop.testkit.ts'
import type { ValveMove } from './fewest-moves.ts'
import { isProof, planTests, type TestOrder } from './test-moves.ts'
import { judgeMoves, QUIET_LIMITS, USUAL_LIMITS } from './verify.ts'

const COUNT = 30
const loop = createSampleLoop(COUNT)
const head = { kind: 'head', head: pascal(200_000) } as const
const openings = filled(COUNT, 0.6)
const before = solveLoop(loop, openings, head)
const range = { min: filled(COUNT, 0.1), max: filled(COUNT, 1) }
const order: TestOrder = {
  openings,
  flows: before,
  range,
  step: 0.01,
  change: 0.04,
  targetKgS: before.flowKgS.map((flow, i) => flow * (i % 2 === 0 ? 1.02 : 0.98)),
}

test('a consumer with too little flow is tested by opening, one with too much by closing, each by a measurable change', () => {
  const moves = planTests(loop, order, [3, 8])
  expect(moves.map(({ consumer }) => consumer)).toEqual([3, 8])
  for (const { consumer, from, to } of moves) {
    expect(from).toBe(0.6)
    expect(Math.sign(to - from)).toBe(consumer === 8 ? 1 : -1)
    const alone = openings.slice()
    alone[consumer] = to
    const after = solveLoop(loop, alone, head)
    const change = Math.log((after.flowKgS[consumer] ?? 0) / (before.flowKgS[consumer] ?? 0))
    // One step of the motor changes the flow by 2 % here.
    expect(Math.abs(change)).toBeGreaterThan(0.039)
    expect(Math.abs(change)).toBeLessThan(0.062)
  }
})

test('a fully open valve is tested by closing unless it is short of flow; one that cannot change its flow is not tested', () => {
  const open = { ...order, openings: filled(COUNT, 1), targetKgS: filled(COUNT, 0.01) }
  expect(planTests(loop, open, [4])[0]?.to).toBeLessThan(1)
  expect(planTests(loop, { ...open, targetKgS: filled(COUNT, 9) }, [4])).toEqual([])
  const choked = createSampleLoop(COUNT)
  choked.network.circuitResistance[4] = 1e7
  expect(planTests(choked, { ...open, range: { ...range, min: filled(COUNT, 0.5) } }, [4])).toEqual([])
})

test('among valves at their targets, the test finds the stuck ones and no others', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(COUNT - 1), { minLength: 1, maxLength: 5 }),
      fc.nat(1000),
      (stuck, seed) => {
        const random = createRandom(seed)
        const unproven = [...new Set([...stuck, 0, 7, 14, 21, 28])]
        const commanded = openings.slice()
        const moves = planTests(loop, order, unproven)
        for (const { consumer, to } of moves) commanded[consumer] = to
        const real = commanded.map((to, i) => (stuck.includes(i) ? (openings[i] ?? 0) : to))
        const seen = solveLoop(loop, real, head)
        const measured = (flow: number) => flow * (1 + sampleNormal(random, 0, 0.002))
        // Valves that do not move show what the whole loop did.
        const outcomes = Array.from(commanded, (to, consumer) => ({
          consumer,
          from: openings[consumer] ?? 0,
          to,
          flowBefore: measured(before.flowKgS[consumer] ?? 0),
          flowAfter: measured(seen.flowKgS[consumer] ?? 0),
        }))
        const judged = judgeMoves(loop, before, solveLoop(loop, commanded, head), outcomes, QUIET_LIMITS)
        const broken = judged.filter(({ verdict }) => verdict === 'stuck' || verdict === 'slipping')
        expect(broken.map(({ consumer }) => consumer)).toEqual(stuck.toSorted((one, other) => one - other))
      },
    ),
    { numRuns: 60 },
  )
})

test('only a move that is large enough and that the flow followed is a proof', () => {
  const judged = { consumer: 1, innovation: 0, followed: 1, change: 0.1 }
  const verdicts = ['accepted', 'learn', 'stuck', 'slipping', 'too-small', 'not-measured'] as const
  const proofs = verdicts.filter((verdict) => isProof({ ...judged, verdict }, USUAL_LIMITS))
  expect(proofs).toEqual(['accepted', 'learn'])
  expect(isProof({ ...judged, verdict: 'learn', change: 0.02 }, USUAL_LIMITS)).toBe(false)
})

test('a proof needs a change of four standard deviations in either direction, and a flow that followed it', () => {
  const learned = { consumer: 1, verdict: 'learn', innovation: 3, followed: 0.6, change: 0.048 } as const
  expect(isProof(learned, USUAL_LIMITS)).toBe(true)
  expect(isProof({ ...learned, change: -0.05 }, USUAL_LIMITS)).toBe(true)
  expect(isProof({ ...learned, change: 0.047 }, USUAL_LIMITS)).toBe(false)
  expect(isProof({ ...learned, followed: 0 }, USUAL_LIMITS)).toBe(false)
})

/** Change of ln ṁ that the test of a valve predicts. */
const changeOf = ({ consumer, from, to }: ValveMove): number => {
  const approach = approachS(loop, before)[consumer] ?? 0
  const at = (opening: number) => approach + consumerS(loop, consumer, opening)
  return Math.log(at(from) / at(to)) / 2
}

test('a test is rounded outwards: at least the intended change, and less than it one step before', () => {
  for (const move of planTests(loop, order, [...openings.keys()])) {
    const back = Math.sign(move.from - move.to) * 0.01
    expect(Math.abs(changeOf(move))).toBeGreaterThanOrEqual(0.04)
    expect(Math.abs(changeOf({ ...move, to: move.to + back }))).toBeLessThan(0.04)
    expect(Math.abs(100 * move.to - Math.round(100 * move.to))).toBeLessThan(1e-9)
  }
})

test('a range that allows nine tenths of the change is enough; with less the test goes in the other direction', () => {
  const fine = { ...order, step: 1e-6 }
  const [free] = planTests(loop, fine, [8])
  const stroke = (free?.to ?? 0) - 0.6
  const within = (share: number) => {
    const max = filled(COUNT, 1)
    max[8] = 0.6 + share * stroke
    return planTests(loop, { ...fine, range: { ...range, max } }, [8])[0]
  }
  expect(within(0.95)?.to).toBeCloseTo(0.6 + 0.95 * stroke, 12)
  expect(within(0.85)?.to).toBeLessThan(0.6)
  const min = filled(COUNT, 0.6)
  expect(planTests(loop, { ...order, range: { ...range, min } }, [3])[0]?.to).toBeGreaterThan(0.6)
})
