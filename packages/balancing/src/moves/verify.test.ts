import { pascal } from '@isotherm/kernel/quantities'
import { createRandom, sampleNormal } from '@isotherm/kernel/random'
import { expect, test } from 'vitest'
import { approachS } from '../loop/approach-resistance.ts'
import { solveLoop } from '../loop/loop-flows.ts'
import { consumerS } from '../loop/loop-model.ts'
import { createSampleLoop, filled } from '../loop/sample-loop.testkit.ts'
import { findRoot } from '../numeric/find-root.ts'
import { gateTrim, judgeMoves, USUAL_LIMITS } from './verify.ts'

const COUNT = 40
const loop = createSampleLoop(COUNT)
const head = { kind: 'head', head: pascal(200_000) } as const
const from = filled(COUNT, 0.6)
const random = createRandom(3)
/** Every valve moves by 8 to 20 % of its stroke, in either direction. */
const to = from.map((value, i) => value + (i % 2 === 0 ? 1 : -1) * (0.08 + 0.12 * random()))
const before = solveLoop(loop, from, head)
const after = solveLoop(loop, to, head)

/**
 * Readings of meters when valve 4 is stuck and the coupling of valve 9 passes half of the travel; each meter has its
 * own bias.
 */
function measure(noise: number, real = to) {
  const flows = solveLoop(loop, real, head)
  return Array.from(to, (value, consumer) => {
    const bias = 1 + sampleNormal(random, 0, 0.03)
    const read = (flow: number) => flow * bias * (1 + sampleNormal(random, 0, noise))
    return {
      consumer,
      from: from[consumer] ?? 0,
      to: value,
      flowBefore: read(before.flowKgS[consumer] ?? 0),
      flowAfter: read(flows.flowKgS[consumer] ?? 0),
    }
  })
}

test('valves that follow their commands are accepted, whatever the errors of their meters', () => {
  const verdicts = judgeMoves(loop, before, after, measure(0.003)).map(({ verdict }) => verdict)
  expect(new Set(verdicts)).toEqual(new Set(['accepted']))
})

test('a stuck valve and a slipping one are found and distinguished among many, and no other valve is accused', () => {
  const real = to.slice()
  real[4] = 0.6
  real[9] = 0.6 + 0.5 * ((to[9] ?? 0) - 0.6)
  const judged = judgeMoves(loop, before, after, measure(0.003, real))
  expect(judged[4]?.verdict).toBe('stuck')
  expect(judged[4]?.followed).toBeCloseTo(0, 0)
  expect(judged[9]?.verdict).toBe('slipping')
  const accused = judged.filter(({ verdict }) => verdict === 'stuck' || verdict === 'slipping')
  expect(accused.map(({ consumer }) => consumer)).toEqual([4, 9])
})

test('a head that differs from the plan accuses no valve', () => {
  const real = measure(0.003).map((outcome) => ({ ...outcome, flowAfter: 0.85 * outcome.flowAfter }))
  for (const { verdict } of judgeMoves(loop, before, after, real)) expect(verdict).toBe('accepted')
})

test('a move too small to measure is not judged, and neither is a consumer without a meter', () => {
  const small = to.map((value, i) => (i === 0 ? 0.605 : value))
  const outcomes = measure(0.003, small).map((outcome, i) => ({
    ...outcome,
    to: small[i] ?? 0,
    flowAfter: i === 1 ? Number.NaN : outcome.flowAfter,
  }))
  const judged = judgeMoves(loop, before, solveLoop(loop, small, head), outcomes)
  expect(judged[0]?.verdict).toBe('too-small')
  expect(judged[1]?.verdict).toBe('not-measured')
})

test('only valves outside the gate are trimmed, and none without readings', () => {
  expect(gateTrim(Float64Array.of(40.3, 40.5, Number.NaN), filled(3, 40), 0.4)).toEqual([1])
})

test('a return exactly at the gate is not trimmed; one below its target is trimmed like one above', () => {
  expect(gateTrim(Float64Array.of(40.5, 39.5, 39.4, 40.6), filled(4, 40), 0.5)).toEqual([2, 3])
})

/**
 * Judgement of valve 0 when it alone moves by a predicted change of ln ṁ, and its flow follows by a share; all other
 * flows are as predicted.
 */
function judgeOne(change: number, followed: number, limits = USUAL_LIMITS) {
  const small = createSampleLoop(5)
  const openings = filled(5, 0.6)
  const flows = solveLoop(small, openings, head)
  const judge = (moved: number, miss: number) => {
    const commanded = openings.slice()
    commanded[0] = moved
    const planned = solveLoop(small, commanded, head)
    const outcomes = Array.from(commanded, (opening, consumer) => ({
      consumer,
      from: 0.6,
      to: opening,
      flowBefore: 2,
      flowAfter:
        2 *
        ((planned.flowKgS[consumer] ?? 0) / (flows.flowKgS[consumer] ?? 1)) *
        Math.exp(consumer === 0 ? miss : 0),
    }))
    const [own] = judgeMoves(small, flows, planned, outcomes, limits)
    if (own === undefined) throw new Error('no judgement')
    return own
  }
  const moved = findRoot(0.1, 1, 1e-12, (opening) => change - judge(opening, 0).change)
  return judge(moved, (followed - 1) * change)
}

test.each([
  // σ = √(0.012² + (0.25·0.3)²) = 0.076: up to 2σ are accepted, below 70 % slips, below 30 % is stuck.
  [0.3, 1, 'accepted'],
  [0.3, 0.72, 'accepted'],
  [0.3, 0.68, 'slipping'],
  [0.3, 0.32, 'slipping'],
  [0.3, 0.28, 'stuck'],
  [0.3, -0.5, 'stuck'],
  [0.3, 1.49, 'accepted'],
  [0.3, 1.52, 'learn'],
  [-0.3, 0.28, 'stuck'],
  [-0.3, 0.68, 'slipping'],
  [-0.3, 1.52, 'learn'],
  // A change of 0.06 that is followed by 60 % misses 0.024, no more than four times the noise.
  [0.06, 0.6, 'accepted'],
  [0.06, 0.28, 'stuck'],
  // Below four times the noise, 0.048, a move is too small to judge: σ = 0.0156.
  [0.047, 0, 'learn'],
  [0.047, 0.5, 'too-small'],
  [0.04, 1.75, 'too-small'],
  [0.04, 1.85, 'learn'],
  [0.049, 0.25, 'stuck'],
] as const)('a change of %d that is followed by a share of %d is judged %s', (change, followed, verdict) => {
  const judged = judgeOne(change, followed)
  expect(judged.verdict).toBe(verdict)
  expect(judged.change).toBeCloseTo(change, 9)
  expect(judged.followed).toBeCloseTo(followed, 6)
  const sigma = Math.hypot(0.012, 0.25 * change)
  expect(judged.innovation).toBeCloseTo(((followed - 1) * change) / sigma, 5)
})

test('if the valve curves are hardly known, a small miss does not mean a stuck valve', () => {
  // 2σ = 0.065 is more than the 0.044 that are missing.
  expect(judgeOne(0.06, 0.27, { flowSigma: 0.012, changeShare: 0.5 }).verdict).toBe('accepted')
})

test('the predicted change of a valve counts the approach: ½·ln((S_a + S_from)/(S_a + S_to))', () => {
  const approach = approachS(loop, after)
  judgeMoves(loop, before, after, measure(0)).forEach(({ consumer, change }) => {
    const at = (opening: number) => (approach[consumer] ?? 0) + consumerS(loop, consumer, opening)
    expect(change).toBeCloseTo(Math.log(at(0.6) / at(to[consumer] ?? 0)) / 2, 9)
  })
})

test('a valve without a command has followed it; one without flow before, after or in the plan is not measured', () => {
  const [first, second, third] = measure(0).slice(20)
  if (first === undefined || second === undefined || third === undefined) throw new Error('no readings')
  const still = { ...first, to: first.from }
  const outcomes = [still, { ...second, flowBefore: 0 }, { ...third, flowAfter: 0 }]
  const judged = judgeMoves(loop, before, after, outcomes)
  expect(judged.map(({ verdict }) => verdict)).toEqual(['too-small', 'not-measured', 'not-measured'])
  expect(judged[0]).toMatchObject({ change: 0, followed: 1 })
  const shut = { ...after, flowKgS: after.flowKgS.map((flow, i) => (i === second.consumer ? 0 : flow)) }
  expect(judgeMoves(loop, before, shut, [first, second, third])[1]?.verdict).toBe('not-measured')
})

test('without any reading nothing is judged', () => {
  const outcomes = measure(0).map((outcome) => ({ ...outcome, flowAfter: Number.NaN }))
  const verdicts = judgeMoves(loop, before, after, outcomes).map(({ verdict }) => verdict)
  expect(new Set(verdicts)).toEqual(new Set(['not-measured']))
})
