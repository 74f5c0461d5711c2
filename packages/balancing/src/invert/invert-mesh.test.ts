import { kvAtOpening, type ValveCharacteristic, valveResistance } from '@isotherm/hydraulics/elements/valve'
import { WARM_WATER } from '@isotherm/hydraulics/elements/water'
import { createNetwork } from '@isotherm/hydraulics/network/network'
import type { LinkSpec } from '@isotherm/hydraulics/network/network-spec'
import { createNetworkState, solveNetwork } from '@isotherm/hydraulics/network/solve-network'
import {
  flowCoefficient,
  kilogramPerSecond,
  metre,
  openingRatio,
  pascalGauge,
  resistance,
} from '@isotherm/kernel/quantities'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { filled } from '../loop/sample-loop.testkit.ts'
import { invertMesh, type MeshLoop, solveDemands } from './invert-mesh.ts'

const COUNT = 9
const valve: ValveCharacteristic = { kind: 'equal-percentage', kvs: flowCoefficient(16), rangeability: 40 }
const pipe = (from: number, to: number, length: number): LinkSpec => ({
  kind: 'pipe',
  from,
  to,
  length: metre(length),
  innerDiameter: metre(0.07),
  roughness: metre(0.0005),
  localLoss: 2,
})
/**
 * Supply nodes 0 to 9 and return nodes 10 to 19 in one ring each, the station at 0 and 10, and a pipe across the
 * ring.
 */
const ring = (first: number): LinkSpec[] => [
  ...Array.from({ length: COUNT + 1 }, (_, i) =>
    pipe(first + i, first + ((i + 1) % (COUNT + 1)), 30 + 5 * i),
  ),
  pipe(first + 3, first + 7, 60),
]
const mesh: MeshLoop = {
  heights: Array.from({ length: 20 }, (_, node) => metre(3 * Math.sin(node % 10))),
  links: [...ring(0), ...ring(10)],
  fluid: WARM_WATER,
  friction: 'swamee-jain',
  station: { supply: 0, back: 10 },
  consumers: Array.from({ length: COUNT }, (_, i) => ({
    supply: i + 1,
    back: i + 11,
    circuit: 9000 + 900 * i,
    valve,
  })),
}
const request = { minOpening: 0.05, indexOpening: 0.95, servedShare: 1, headPa: undefined }

/** Flows of the whole mesh with its valves at these openings. */
function solveWhole(openings: Float64Array, headPa: number): Float64Array {
  const outcome = createNetwork({
    nodes: mesh.heights.map((height, node) => {
      const still = { height, demand: kilogramPerSecond(0) }
      if (node !== 0 && node !== 10) return still
      return { ...still, pressure: pascalGauge(node === 0 ? headPa : 0) }
    }),
    links: [
      ...mesh.links,
      ...mesh.consumers.map(({ supply, back, circuit }, i): LinkSpec => {
        const own = valveResistance(
          kvAtOpening(valve, openingRatio(openings[i] ?? 0)),
          WARM_WATER.densityKgM3,
        )
        return { kind: 'resistor', from: supply, to: back, resistance: resistance(circuit + own) }
      }),
    ],
    fluid: WARM_WATER,
    friction: 'swamee-jain',
  })
  if (outcome.kind !== 'network') throw new Error(outcome.kind)
  const state = createNetworkState(outcome.network)
  expect(solveNetwork(outcome.network, state)).toBe('solved')
  return state.linkFlow.slice(-COUNT)
}

test('inverting a ring with a cross-connection gives the target flows in the whole mesh', () => {
  const share = fc.double({ min: 0.5, max: 1.5, noNaN: true })
  fc.assert(
    fc.property(fc.array(share, { minLength: COUNT, maxLength: COUNT }), (shares) => {
      const inversion = invertMesh(mesh, { ...request, targetKgS: Float64Array.from(shares) })
      if (inversion.kind !== 'inverted') throw new Error(inversion.kind)
      expect(Math.max(...inversion.openings)).toBeCloseTo(0.95, 6)
      for (const [i, flow] of solveWhole(inversion.openings, inversion.headPa).entries())
        expect(flow / (shares[i] ?? 1)).toBeCloseTo(1, 4)
    }),
    { numRuns: 30 },
  )
})

test('a head that is too low leaves the last consumers short and reports them', () => {
  const enough = invertMesh(mesh, { ...request, targetKgS: filled(COUNT, 1) })
  if (enough.kind !== 'inverted') throw new Error(enough.kind)
  const short = invertMesh(mesh, { ...request, targetKgS: filled(COUNT, 1), headPa: 0.9 * enough.headPa })
  expect(short).toMatchObject({ kind: 'inverted', openings: expect.any(Float64Array) })
  if (short.kind === 'inverted') expect(short.starved.length).toBeGreaterThan(0)
})

test('a consumer without a pipe, and pipes that lead nowhere, are reported', () => {
  const links = mesh.links.filter(({ from, to }) => from !== 5 && to !== 5)
  expect(invertMesh({ ...mesh, links }, { ...request, targetKgS: filled(COUNT, 1) }).kind).toBe('cut-off')
  const astray = [...mesh.links, pipe(3, 99, 10)]
  expect(invertMesh({ ...mesh, links: astray }, { ...request, targetKgS: filled(COUNT, 1) }).kind).toBe(
    'unknown-node',
  )
})

test('with a given head the valves take the surplus, and targets are met', () => {
  const enough = invertMesh(mesh, { ...request, targetKgS: filled(COUNT, 1) })
  if (enough.kind !== 'inverted') throw new Error(enough.kind)
  const headPa = 1.5 * enough.headPa
  const inversion = invertMesh(mesh, { ...request, targetKgS: filled(COUNT, 1), headPa })
  if (inversion.kind !== 'inverted') throw new Error(inversion.kind)
  expect(inversion).toMatchObject({ headPa, starved: [], overfed: [] })
  for (const flow of solveWhole(inversion.openings, headPa)) expect(flow).toBeCloseTo(1, 4)
})

test('starved consumers are fully open; one that needs less than the minimum opening is overfed', () => {
  const enough = invertMesh(mesh, { ...request, targetKgS: filled(COUNT, 1) })
  if (enough.kind !== 'inverted') throw new Error(enough.kind)
  const targetKgS = filled(COUNT, 1)
  targetKgS[2] = 0.01
  const inversion = invertMesh(mesh, {
    ...request,
    targetKgS,
    minOpening: 0.3,
    headPa: 0.7 * enough.headPa,
  })
  if (inversion.kind !== 'inverted') throw new Error(inversion.kind)
  expect(inversion.overfed).toEqual([2])
  expect(inversion.openings[2]).toBe(0.3)
  const flows = solveWhole(inversion.openings, inversion.headPa)
  expect(inversion.starved.length).toBeGreaterThan(0)
  for (const i of flows.keys()) {
    expect(inversion.openings[i] === 1, String(i)).toBe(inversion.starved.includes(i))
  }
})

test('the head serves only the given share of the consumers', () => {
  const clogged = mesh.consumers.map((consumer, i) =>
    i === 4 ? { ...consumer, circuit: 300_000 } : consumer,
  )
  const all = invertMesh({ ...mesh, consumers: clogged }, { ...request, targetKgS: filled(COUNT, 1) })
  const most = invertMesh(
    { ...mesh, consumers: clogged },
    { ...request, targetKgS: filled(COUNT, 1), servedShare: 0.85 },
  )
  if (all.kind !== 'inverted' || most.kind !== 'inverted') throw new Error('not inverted')
  expect(all.headPa).toBeGreaterThan(300_000)
  expect(most.headPa).toBeLessThan(all.headPa / 3)
  expect(most.starved).toEqual([4])
})

test('demands are solved with level nodes by default, and heights add no flow', () => {
  const demand = Float64Array.of(0, 1, 0.5)
  const links = [pipe(0, 1, 30), pipe(1, 2, 30)]
  const solved = (heights?: readonly number[]) => {
    const outcome = solveDemands(
      { links, fluid: WARM_WATER, friction: 'swamee-jain' },
      demand,
      [0],
      heights?.map(metre),
    )
    if (outcome.kind !== 'solved') throw new Error(outcome.kind)
    return outcome.state
  }
  expect([...solved().linkFlow]).toEqual([expect.closeTo(1.5, 9), expect.closeTo(0.5, 9)])
  expect(solved().nodePressure[0]).toBe(0)
  expect(solved().nodePressure[2]).toBeLessThan(solved().nodePressure[1] ?? 0)
  // Three metres higher: 988·9.81·3 Pa less.
  const [level = 0, raised = 0] = [solved().nodePressure[2], solved([0, 0, 3]).nodePressure[2]]
  expect((level - raised) / (988 * 9.81 * 3)).toBeCloseTo(1, 2)
})
