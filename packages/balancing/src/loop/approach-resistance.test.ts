import { WARM_WATER } from '@isotherm/hydraulics/elements/water'
import { SOURCE } from '@isotherm/hydraulics/tree/tree-network'
import { flowCoefficient, metre, pascal, resistance } from '@isotherm/kernel/quantities'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { approachS } from './approach-resistance.ts'
import { solveLoop } from './loop-flows.ts'
import { consumerS, createLoop, type LoopModel, pathLosses, scaleCircuits, sumFlows } from './loop-model.ts'
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

/**
 * A trunk (0) with branches 1 and 2, and 3 behind 1. Consumers: 0 at the station, 1 at the trunk, 2 at branch 1, 3 and
 * 4 behind it, 5 at branch 2. Pipes have local losses only, so their S is the same at every flow. `loss` is ζ of each.
 */
function createBranches(loss: readonly number[]): LoopModel {
  const pipes = [SOURCE, 0, 0, 1].map((parent, pipe) => ({
    parent,
    length: metre(0),
    innerDiameter: metre(0.05),
    roughness: metre(0.0005),
    localLoss: loss[pipe] ?? 0,
    runs: 2,
  }))
  const circuits = [SOURCE, 0, 1, 3, 3, 2].map((node, i) => ({
    node,
    resistance: resistance(6000 + 900 * i),
  }))
  const valve = { kind: 'linear', kvs: flowCoefficient(12) } as const
  const outcome = createLoop(
    pipes,
    circuits,
    circuits.map(() => valve),
    WARM_WATER,
  )
  if (outcome.kind !== 'loop') throw new Error(outcome.kind)
  return outcome.model
}

test('in pipes without friction it is exact for small moves at every place: d ln ṁ = −dS/(2·(S + approach))', () => {
  const loop = createBranches([40, 60, 90, 50])
  const openings = filled(6, 0.5)
  const found = approachS(loop, solveLoop(loop, openings, head))
  for (const consumer of openings.keys()) {
    const turned = (share: number): number => {
      const factor = filled(6, 1)
      factor[consumer] = 1 + share
      return solveLoop(scaleCircuits(loop, factor), openings, head).flowKgS[consumer] ?? 0
    }
    const step = 1e-3
    const slope = Math.log(turned(step) / turned(-step)) / (2 * step)
    const own = consumerS(loop, consumer, 0.5)
    const circuit = loop.network.circuitResistance[consumer] ?? 0
    expect(-circuit / (2 * (own + (found[consumer] ?? 0))) / slope, String(consumer)).toBeCloseTo(1, 4)
  }
  // A consumer at the station has its head for itself.
  expect(found[0]).toBe(0)
  expect(found[3]).toBeGreaterThan(found[2] ?? 0)
  expect(found[2]).toBeGreaterThan(found[1] ?? 0)
})

test('pipes without resistance leave no approach resistance', () => {
  const loop = createBranches([0, 0, 0, 0])
  expect([...approachS(loop, solveLoop(loop, filled(6, 0.5), head))]).toEqual([0, 0, 0, 0, 0, 0])
})
