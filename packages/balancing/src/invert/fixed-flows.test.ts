import { pascal } from '@isotherm/kernel/quantities'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { solveLoop } from '../loop/loop-flows.ts'
import { consumerS, pathLosses, sumFlows } from '../loop/loop-model.ts'
import { createSampleLoop, filled } from '../loop/sample-loop.testkit.ts'
import { solveMixed } from './fixed-flows.ts'

const COUNT = 24
const HEAD = 150_000

test('the flows that the head drives equal those of the solved loop, if all other flows are given as in that loop', () => {
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

test('path losses of given flows are those of the pipes: the station has none', () => {
  const loop = createSampleLoop(COUNT)
  const { network } = loop
  const given = filled(COUNT, 1)
  const { path } = solveMixed(loop, given, new Uint8Array(COUNT), filled(COUNT, 1), HEAD)
  const pipeFlow = sumFlows(network, given, new Float64Array(network.pipeCount))
  expect(path).toEqual(pathLosses(network, pipeFlow, new Float64Array(network.pipeCount + 1)))
  expect(path.at(-1)).toBe(0)
})

test('Newton’s method needs few steps: driven flows are exact from a start that is far off', () => {
  const loop = createSampleLoop(COUNT)
  const ownS = Float64Array.from({ length: COUNT }, (_, i) => consumerS(loop, i, 0.6))
  const isDriven = Uint8Array.from({ length: COUNT }, (_, i) => i % 2)
  const solve = (start: number) =>
    solveMixed(
      loop,
      Float64Array.from({ length: COUNT }, (_, i) => (i % 2 === 1 ? start : 0.8)),
      isDriven,
      ownS,
      HEAD,
    )
  const { flowKgS, path } = solve(1)
  flowKgS.forEach((flow, i) => {
    if (i % 2 === 0) expect(flow).toBe(0.8)
    else {
      const left = HEAD - (path[loop.network.circuitNode[i] ?? 0] ?? 0)
      expect(((ownS[i] ?? 0) * flow ** 2) / left).toBeCloseTo(1, 7)
    }
  })
  for (const start of [0, 1e-3, 20])
    for (const [i, flow] of solve(start).flowKgS.entries()) expect(flow).toBeCloseTo(flowKgS[i] ?? 0, 7)
})

test('the given start flows are not modified', () => {
  const loop = createSampleLoop(COUNT)
  const given = filled(COUNT, 1)
  solveMixed(loop, given, new Uint8Array(COUNT).fill(1), filled(COUNT, 20_000), HEAD)
  expect(given).toEqual(filled(COUNT, 1))
})
