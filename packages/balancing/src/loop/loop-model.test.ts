import { frictionFactor } from '@isotherm/hydraulics/elements/friction'
import { WARM_WATER } from '@isotherm/hydraulics/elements/water'
import { type CircuitSpec, type PipeSpec, SOURCE } from '@isotherm/hydraulics/tree/tree-network'
import { flowCoefficient, metre, resistance } from '@isotherm/kernel/quantities'
import { expect, test } from 'vitest'
import {
  consumerS,
  createLoop,
  type LoopModel,
  pathLosses,
  pipeS,
  scaleCircuits,
  scalePipes,
  sumFlows,
  valveS,
} from './loop-model.ts'

const of = (...values: number[]): Float64Array => Float64Array.from(values)
const pipe = (parent: number, lengthM: number, localLoss = 2): PipeSpec => ({
  parent,
  length: metre(lengthM),
  innerDiameter: metre(0.05),
  roughness: metre(0.0005),
  localLoss,
  runs: 2,
})
const circuit = (node: number, s: number): CircuitSpec => ({ node, resistance: resistance(s) })
const valve = { kind: 'linear', kvs: flowCoefficient(10) } as const

/**
 * A trunk (0) with two branches (1, 2). Consumers: 0 at the station, 1 and 2 at the end of branch 1, 3 at the end of
 * branch 2.
 */
const recorded = () =>
  [
    [pipe(SOURCE, 100), pipe(0, 50), pipe(0, 30, 5)],
    [circuit(SOURCE, 8000), circuit(1, 9000), circuit(1, 10_000), circuit(2, 11_000)],
  ] as const
function createModel(): LoopModel {
  const [pipes, circuits] = recorded()
  const outcome = createLoop(
    pipes,
    circuits,
    circuits.map(() => valve),
    WARM_WATER,
  )
  if (outcome.kind !== 'loop') throw new Error(outcome.kind)
  return outcome.model
}

test('a loop has one valve for each circuit, and pipes that form a tree', () => {
  const [pipes, circuits] = recorded()
  const valves = circuits.map(() => valve)
  expect(createLoop(pipes, circuits, valves.slice(1), WARM_WATER)).toEqual({ kind: 'valves-missing' })
  expect(createLoop([pipe(4, 10)], circuits, valves, WARM_WATER)).toEqual({ kind: 'unknown-parent', pipe: 0 })
  const model = createModel()
  expect(model).toMatchObject({ pipes, valves, fluid: WARM_WATER })
  expect([...model.network.circuitNode]).toEqual([3, 1, 1, 2])
})

test('S of a valve follows from its Kv: 1e5·(3600/(ρ·Kv))²; a shut valve has no flow', () => {
  const model = createModel()
  expect(valveS(model, 1, 0.5)).toBeCloseTo(1e5 * (3600 / (988 * 5)) ** 2, 6)
  expect(consumerS(model, 1, 0.5)).toBeCloseTo(9000 + 1e5 * (3600 / (988 * 5)) ** 2, 6)
  expect(valveS(model, 1, 0)).toBe(Number.POSITIVE_INFINITY)
})

test('a consumer that the model does not have has no valve', () => {
  expect(() => valveS(createModel(), 4, 0.5)).toThrow('consumer 4 has no valve')
})

test('S of a pipe is friction and local losses of supply and return: 2·8/(ρπ²D⁴)·(λ·L/D + ζ)', () => {
  const { network } = createModel()
  const reynolds = (4 * 1.5) / (Math.PI * 0.05 * WARM_WATER.viscosityPaS)
  const factor = frictionFactor(reynolds, 0.0005 / 0.05)
  const dynamic = 16 / (988 * Math.PI ** 2 * 0.05 ** 4)
  expect(pipeS(network, 2, 1.5)).toBeCloseTo(dynamic * ((factor * 30) / 0.05 + 5), 6)
  // Slow water has a larger friction factor.
  expect(pipeS(network, 2, 0.01)).toBeGreaterThan(1.3 * pipeS(network, 2, 1.5))
})

test('the flow of a pipe is the sum of all consumers behind it; one at the station needs no pipe', () => {
  const { network } = createModel()
  const written = of(7, 7, 7)
  expect(sumFlows(network, of(5, 1, 0.5, 0.25), written)).toBe(written)
  expect([...written]).toEqual([1.75, 1.5, 0.25])
})

test('the head loss to a node is the sum of its pipes; the station has none', () => {
  const { network } = createModel()
  const flows = of(1.75, 1.5, 0.25)
  const written = of(9, 9, 9, 9)
  const loss = pathLosses(network, flows, written)
  const own = [1.75, 1.5, 0.25].map((flow, at) => pipeS(network, at, flow) * flow ** 2)
  const [trunk = 0, first = 0, second = 0] = own
  expect(loss).toBe(written)
  expect([...loss]).toEqual([
    expect.closeTo(trunk, 6),
    expect.closeTo(trunk + first, 6),
    expect.closeTo(trunk + second, 6),
    0,
  ])
  expect(trunk).toBeGreaterThan(1000)
})

test('scaled circuits have their own factors, and the given loop stays as it was', () => {
  const model = createModel()
  const scaled = scaleCircuits(model, of(1, 2, 0.5))
  expect([...scaled.network.circuitResistance]).toEqual([8000, 18_000, 5000, 11_000])
  expect([...model.network.circuitResistance]).toEqual([8000, 9000, 10_000, 11_000])
  expect(scaled.pipes).toBe(model.pipes)
})

test('scaled pipes have S times their factor at every flow; circuits stay at their nodes', () => {
  const model = createModel()
  const scaled = scalePipes(scaleCircuits(model, of(2, 1, 1, 1)), of(3, 0.5))
  for (const flow of [0.02, 1]) {
    const ratio = [0, 1, 2].map((at) => pipeS(scaled.network, at, flow) / pipeS(model.network, at, flow))
    expect(ratio).toEqual([expect.closeTo(3, 9), expect.closeTo(0.5, 9), expect.closeTo(1, 9)])
  }
  expect(scaled.pipes.map(({ length, localLoss }) => [length, localLoss])).toEqual([
    [300, 6],
    [25, 1],
    [30, 5],
  ])
  expect([...scaled.network.circuitNode]).toEqual([3, 1, 1, 2])
  expect([...scaled.network.circuitResistance]).toEqual([16_000, 9000, 10_000, 11_000])
  expect(scaled.valves).toBe(model.valves)
})

test('no pipe can have a negative resistance', () => {
  expect(() => scalePipes(createModel(), of(1, -1, 1))).toThrow('bad-pipe')
})

test('along a street of pipes, flows fall and losses add up, in any order of the records', () => {
  // The street runs from the station through pipes 2, 0 and 1.
  const pipes = [pipe(2, 40), pipe(0, 30), pipe(SOURCE, 50)]
  const outcome = createLoop(
    pipes,
    pipes.map((_, node) => circuit(node, 9000)),
    pipes.map(() => valve),
    WARM_WATER,
  )
  if (outcome.kind !== 'loop') throw new Error(outcome.kind)
  const { network } = outcome.model
  const flows = sumFlows(network, of(0.5, 0.25, 1), new Float64Array(3))
  expect([...flows]).toEqual([0.75, 0.25, 1.75])
  const [near = 0, far = 0, first = 0] = Array.from(flows, (flow, at) => pipeS(network, at, flow) * flow ** 2)
  expect([...pathLosses(network, flows, new Float64Array(4))]).toEqual([
    expect.closeTo(first + near, 6),
    expect.closeTo(first + near + far, 6),
    expect.closeTo(first, 6),
    0,
  ])
})
