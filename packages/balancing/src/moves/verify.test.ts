import { pascal } from '@isotherm/kernel/quantities'
import { createRandom, sampleNormal } from '@isotherm/kernel/random'
import { expect, test } from 'vitest'
import { solveLoop } from '../loop/loop-flows.ts'
import { createSampleLoop, filled } from '../loop/sample-loop.testkit.ts'
import { gateTrim, judgeMoves } from './verify.ts'

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
