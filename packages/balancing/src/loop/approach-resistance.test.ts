import { pascal } from '@isotherm/kernel/quantities'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { approachS } from './approach-resistance.ts'
import { solveLoop } from './loop-flows.ts'
import { consumerS, pathLosses, sumFlows } from './loop-model.ts'
import { createSampleLoop, filled } from './sample-loop.testkit.ts'

const head = { kind: 'head', head: pascal(200_000) } as const

test('for the only consumer of a loop it is the resistance of its pipes: S = path/ṁ²', () => {
  const loop = createSampleLoop(1)
  const flows = solveLoop(loop, filled(1, 0.7), head)
  const { network } = loop
  const pipeFlow = sumFlows(network, flows.flowKgS, new Float64Array(network.pipeCount))
  const path = pathLosses(network, pipeFlow, new Float64Array(network.pipeCount + 1))
  const flow = flows.flowKgS[0] ?? 0
  const node = network.circuitNode[0] ?? 0
  expect(approachS(loop, flows)[0]).toBeCloseTo((path[node] ?? 0) / flow ** 2, 6)
})

test('it predicts the effect of one valve on its own flow in any loop, which a constant head at its node does not', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 30 }),
      fc.nat(1000),
      fc.double({ min: -0.2, max: 0.2, noNaN: true }),
      (count, seed, turn) => {
        const loop = createSampleLoop(count, seed)
        const openings = filled(count, 0.65)
        const flows = solveLoop(loop, openings, head)
        const at = count - 1
        const turned = openings.slice()
        turned[at] = 0.65 + turn
        const real = Math.log((solveLoop(loop, turned, head).flowKgS[at] ?? 0) / (flows.flowKgS[at] ?? 1))
        const [before, after] = [consumerS(loop, at, 0.65), consumerS(loop, at, 0.65 + turn)]
        const approach = approachS(loop, flows)[at] ?? 0
        const predicted = Math.log((approach + before) / (approach + after)) / 2
        expect(Math.abs(predicted - real)).toBeLessThan(0.002 + 0.06 * Math.abs(real))
        expect(Math.abs(predicted)).toBeLessThanOrEqual(Math.abs(Math.log(before / after) / 2) + 1e-12)
      },
    ),
    { numRuns: 80 },
  )
})

test('a consumer without flow has no approach resistance', () => {
  const loop = createSampleLoop(3)
  const openings = filled(3, 0.6)
  openings[1] = 0
  expect(approachS(loop, solveLoop(loop, openings, head))[1]).toBe(0)
})
