import { pascal } from '@isotherm/kernel/quantities'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { solveLoop } from '../loop/loop-flows.ts'
import { consumerS } from '../loop/loop-model.ts'
import { filled, makeLoop } from '../loop/sample-loop.testkit.ts'
import { solveMixed } from './fixed-flows.ts'

const COUNT = 24
const HEAD = 150_000

test('driven flows are those of the whole loop when the others are given what they have there', () => {
  const bool = fc.array(fc.boolean(), { minLength: COUNT, maxLength: COUNT })
  const opening = fc.array(fc.double({ min: 0.3, max: 1, noNaN: true }), {
    minLength: COUNT,
    maxLength: COUNT,
  })
  fc.assert(
    fc.property(bool, opening, fc.nat(99), (driven, openings, seed) => {
      const loop = makeLoop(COUNT, seed)
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

test('a loop that nearly only its mains hold back converges too', () => {
  const loop = makeLoop(COUNT)
  const ownS = filled(COUNT, 40)
  const { flowKgS, path } = solveMixed(loop, filled(COUNT, 1), new Uint8Array(COUNT).fill(1), ownS, HEAD)
  flowKgS.forEach((flow, i) => {
    const left = HEAD - (path[loop.network.circuitNode[i] ?? 0] ?? 0)
    expect(40 * flow ** 2).toBeCloseTo(left, 1)
  })
})

test('with everybody given, only path losses are added up', () => {
  const loop = makeLoop(COUNT)
  const given = filled(COUNT, 1)
  expect(solveMixed(loop, given, new Uint8Array(COUNT), filled(COUNT, 1), HEAD).flowKgS).toEqual(given)
})
