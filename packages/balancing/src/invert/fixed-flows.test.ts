import { pascal } from '@isotherm/kernel/quantities'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { solveLoop } from '../loop/loop-flows.ts'
import { consumerS } from '../loop/loop-model.ts'
import { createSampleLoop, filled } from '../loop/sample-loop.testkit.ts'
import { solveMixed } from './fixed-flows.ts'

const COUNT = 24
const HEAD = 150_000

test('driven flows equal those of the whole loop if the others are given their flows in it', () => {
  const bool = fc.array(fc.boolean(), { minLength: COUNT, maxLength: COUNT })
  const opening = fc.array(fc.double({ min: 0.3, max: 1, noNaN: true }), {
    minLength: COUNT,
    maxLength: COUNT,
  })
  fc.assert(
    fc.property(bool, opening, fc.nat(99), (driven, openings, seed) => {
      const loop = createSampleLoop(COUNT, seed)
      const whole = solveLoop(loop, openings, { kind: 'head', head: pascal(HEAD) })
      const isDriven = Uint8Array.from(driven, Number)
      const ownS = Float64Array.from(openings, (value, i) => consumerS(loop, i, value))
      const begin = whole.flowKgS.map((flow, i) => (driven[i] === true ? 1 : flow))
      const { flowKgS, path } = solveMixed(loop, begin, isDriven, ownS, HEAD)
      for (const [i, flow] of flowKgS.entries()) expect(flow / (whole.flowKgS[i] ?? 1)).toBeCloseTo(1, 5)
      for (const [node, head] of whole.nodeHeadPa.entries())
        expect(HEAD - (path[node] ?? 0)).toBeCloseTo(head, -1)
    }),
    { numRuns: 50 },
  )
})

test('the solver converges in a loop whose mains take nearly all of the head', () => {
  const loop = createSampleLoop(COUNT)
  const ownS = filled(COUNT, 40)
  const { flowKgS, path } = solveMixed(loop, filled(COUNT, 1), new Uint8Array(COUNT).fill(1), ownS, HEAD)
  flowKgS.forEach((flow, i) => {
    const left = HEAD - (path[loop.network.circuitNode[i] ?? 0] ?? 0)
    expect(40 * flow ** 2).toBeCloseTo(left, 1)
  })
})

test('with all flows given, only path losses are computed', () => {
  const loop = createSampleLoop(COUNT)
  const given = filled(COUNT, 1)
  expect(solveMixed(loop, given, new Uint8Array(COUNT), filled(COUNT, 1), HEAD).flowKgS).toEqual(given)
})
