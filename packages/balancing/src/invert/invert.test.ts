import { pumpThrough, speedFor } from '@isotherm/hydraulics/elements/pump'
import { kilogramPerSecond, pascal } from '@isotherm/kernel/quantities'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maxHead, solveLoop } from '../loop/loop-flows.ts'
import { consumerS, pathLosses, scalePipes, sumFlows } from '../loop/loop-model.ts'
import { createSampleLoop, filled } from '../loop/sample-loop.testkit.ts'
import { type InvertRequest, invert } from './invert.ts'

const COUNT = 20
const loop = createSampleLoop(COUNT)
const request: InvertRequest = {
  targetKgS: filled(COUNT, 1),
  openings: filled(COUNT, 0.6),
  isFixed: new Uint8Array(COUNT),
  minOpening: 0.1,
  indexOpening: 0.95,
  servedShare: 1,
  shortRms: 0,
  shortage: 'shared',
  pump: { kind: 'free', maxHeadPa: 500_000 },
}
const worst = (flows: Float64Array, targets: Float64Array): number =>
  flows.reduce((most, flow, i) => Math.max(most, Math.abs(flow / (targets[i] ?? 1) - 1)), 0)

test('inversion gives exactly the target flows, with the index valve at its opening and no valve beyond it', () => {
  const { openings, flows, starved, scale } = invert(loop, request)
  expect(worst(flows.flowKgS, request.targetKgS)).toBeLessThan(1e-5)
  expect(Math.max(...openings)).toBeCloseTo(0.95, 9)
  expect(starved).toEqual([])
  expect(scale).toBe(1)
})

test('inversion gives any target flows in any loop', () => {
  const share = fc.double({ min: 0.5, max: 1.6, noNaN: true })
  fc.assert(
    fc.property(fc.array(share, { minLength: 3, maxLength: 30 }), fc.nat(1000), (shares, seed) => {
      const made = createSampleLoop(shares.length, seed)
      const factor = made.network.frictionScale.map((_, pipe) => 0.6 + ((seed + 7 * pipe) % 10) / 10)
      const count = shares.length
      const targetKgS = Float64Array.from(shares)
      const own = { ...request, targetKgS, openings: filled(count, 0.5), isFixed: new Uint8Array(count) }
      const { flows, overfed } = invert(scalePipes(made, factor), { ...own, minOpening: 0.01 })
      expect(overfed).toEqual([])
      expect(worst(flows.flowKgS, targetKgS)).toBeLessThan(1e-4)
    }),
    { numRuns: 60 },
  )
})

test('one clogged strainer does not set the head of the whole loop: it is reported as starved', () => {
  const clogged = createSampleLoop(COUNT)
  clogged.network.circuitResistance[7] = 40 * (clogged.network.circuitResistance[7] ?? 0)
  const all = invert(clogged, request)
  const most = invert(clogged, { ...request, servedShare: 0.94 })
  expect(most.headPa).toBeLessThan(all.headPa / 3)
  expect(most.starved).toContain(7)
  expect(most.flows.flowKgS[7]).toBeLessThan(0.6)
  expect(most.flows.flowKgS[0]).toBeCloseTo(1, 1)
})

test('a fixed valve keeps its opening, and the others are solved around it', () => {
  const isFixed = new Uint8Array(COUNT)
  isFixed[3] = 1
  const { openings, flows } = invert(loop, { ...request, isFixed })
  expect(openings[3]).toBe(0.6)
  expect(Math.abs((flows.flowKgS[3] ?? 0) - 1)).toBeGreaterThan(0.05)
  flows.flowKgS.forEach((flow, i) => {
    if (i !== 3) expect(flow).toBeCloseTo(1, 3)
  })
})

test('with a constant pump head the valves take the surplus', () => {
  const free = invert(loop, request)
  const inversion = invert(loop, { ...request, pump: { kind: 'fixed-head', headPa: 1.5 * free.headPa } })
  expect(worst(inversion.flows.flowKgS, request.targetKgS)).toBeLessThan(1e-5)
  expect(Math.max(...inversion.openings)).toBeLessThan(0.95)
})

test('with a minimum head the valves take the surplus', () => {
  const free = invert(loop, request)
  const minHeadPa = 1.3 * free.headPa
  const inversion = invert(loop, { ...request, pump: { kind: 'free', maxHeadPa: 500_000, minHeadPa } })
  expect(inversion.headPa).toBe(minHeadPa)
  expect(inversion.flows.headPa).toBe(minHeadPa)
  expect(worst(inversion.flows.flowKgS, request.targetKgS)).toBeLessThan(1e-5)
  const spared = { ...request, shortRms: 0.045, pump: { kind: 'free', maxHeadPa: 500_000 } } as const
  const least = { ...spared.pump, minHeadPa: free.headPa }
  expect(invert(loop, spared).headPa).toBeLessThan(free.headPa)
  expect(invert(loop, { ...spared, pump: least }).headPa).toBe(free.headPa)
})

test('a pump of one speed is solved at the total target flow', () => {
  const free = invert(loop, request)
  const pump = pumpThrough(pascal(2 * free.headPa), pascal(1.4 * free.headPa), kilogramPerSecond(COUNT))
  const inversion = invert(loop, { ...request, pump: { kind: 'fixed-speed', pump, speed: 1 } })
  expect(inversion.flows.headPa).toBeCloseTo(maxHead({ kind: 'fixed-speed', pump, speed: 1 }, COUNT), 0)
  expect(worst(inversion.flows.flowKgS, request.targetKgS)).toBeLessThan(1e-4)
  expect(speedFor(pump, 1.4 * free.headPa, COUNT)).toBeCloseTo(1, 9)
})

test('if the pump is too weak, all consumers are short by the same factor', () => {
  const free = invert(loop, request)
  const short = invert(loop, { ...request, pump: { kind: 'free', maxHeadPa: free.headPa / 2 } })
  expect(short.scale).toBeGreaterThan(0.69)
  expect(short.scale).toBeLessThan(0.74)
  expect(short.headPa).toBeLessThanOrEqual((free.headPa / 2) * 1.001)
  for (const flow of short.flows.flowKgS) expect(flow).toBeCloseTo(short.scale, 3)
})

test('a consumer with too much flow at the minimum opening is reported', () => {
  const targetKgS = filled(COUNT, 1)
  targetKgS[0] = 0.02
  const { overfed, openings } = invert(loop, { ...request, targetKgS, minOpening: 0.2 })
  expect(overfed).toEqual([0])
  expect(openings[0]).toBe(0.2)
})

test('a shut loop has no flow', () => {
  const flows = solveLoop(loop, filled(COUNT, 0), { kind: 'head', head: pascal(100_000) })
  expect(flows.totalKgS).toBe(0)
})

test('any set of fixed valves leaves the others at their targets', () => {
  const pump = { kind: 'fixed-head', headPa: 1.2 * invert(loop, request).headPa } as const
  const balanced = invert(loop, { ...request, pump }).openings
  const moved = fc.array(fc.boolean(), { minLength: COUNT, maxLength: COUNT })
  fc.assert(
    fc.property(moved, (isMoved) => {
      const isFixed = Uint8Array.from(isMoved, (free) => (free ? 0 : 1))
      const openings = balanced.map((opening, i) => (isMoved[i] === true ? 0.3 : Math.min(1, opening + 0.03)))
      const { flows, starved } = invert(loop, { ...request, isFixed, openings, pump })
      flows.flowKgS.forEach((flow, i) => {
        if (isMoved[i] === true && !starved.includes(i)) expect(Math.abs(flow - 1)).toBeLessThan(0.003)
      })
    }),
    { numRuns: 40 },
  )
})

test('if all valves are fixed, the head is the one that fits their openings to the targets, not zero', () => {
  const { openings, headPa } = invert(loop, request)
  const held = invert(loop, { ...request, openings, isFixed: new Uint8Array(COUNT).fill(1) })
  expect(held.headPa / headPa).toBeCloseTo(1, 5)
  expect(worst(held.flows.flowKgS, request.targetKgS)).toBeLessThan(1e-4)
})

test('the head is the largest need of all consumers: mains, circuit, and the valve at the index opening', () => {
  const { headPa } = invert(loop, request)
  const { network } = loop
  const pipeFlow = sumFlows(network, filled(COUNT, 1), new Float64Array(network.pipeCount))
  const path = pathLosses(network, pipeFlow, new Float64Array(network.pipeCount + 1))
  const needs = Array.from(network.circuitNode, (node, i) => (path[node] ?? 0) + consumerS(loop, i, 0.95))
  expect(headPa).toBeCloseTo(Math.max(...needs), 4)
})

test('a fixed valve takes the flow that the head drives through it, and its own need does not set the head', () => {
  const isFixed = new Uint8Array(COUNT)
  const openings = filled(COUNT, 0.6)
  isFixed[3] = 1
  openings[3] = 0.15
  const nearlyShut = invert(loop, { ...request, isFixed, openings })
  expect(nearlyShut.headPa).toBeLessThan(1.01 * invert(loop, request).headPa)
  expect(Math.max(...nearlyShut.openings)).toBeCloseTo(0.95, 5)
  openings[3] = 1
  const wideOpen = invert(loop, { ...request, isFixed, openings })
  // More flow through the fixed valve takes more head in the mains.
  expect(wideOpen.headPa).toBeGreaterThan(1.01 * nearlyShut.headPa)
  wideOpen.flows.flowKgS.forEach((flow, i) => {
    if (i !== 3) expect(flow).toBeCloseTo(1, 4)
  })
})

test('a consumer without a target gets the minimum opening, and is not reported', () => {
  const targetKgS = filled(COUNT, 1)
  targetKgS[4] = 0
  const { openings, overfed, starved } = invert(loop, { ...request, targetKgS })
  expect(openings[4]).toBe(0.1)
  expect([overfed, starved]).toEqual([[], []])
})

test('if a set head is too low, either all are short by the same factor, or only the ends', () => {
  const headPa = 0.8 * invert(loop, request).headPa
  const pump = { kind: 'fixed-head', headPa } as const
  const shared = invert(loop, { ...request, pump })
  expect(shared.scale).toBeLessThan(0.95)
  expect(shared.starved).toEqual([])
  for (const flow of shared.flows.flowKgS) expect(flow / shared.scale).toBeCloseTo(1, 3)
  const ends = invert(loop, { ...request, pump, shortage: 'at-the-end' })
  expect(ends.scale).toBe(1)
  expect(ends.headPa).toBe(headPa)
  expect(ends.starved.length).toBeGreaterThan(0)
  expect(ends.starved.length).toBeLessThan(COUNT / 2)
  expect(ends.spared).toEqual([])
  ends.flows.flowKgS.forEach((flow, i) => {
    if (ends.starved.includes(i)) {
      expect(ends.openings[i]).toBe(1)
      expect(flow).toBeLessThan(0.9999)
    } else expect(flow).toBeCloseTo(1, 3)
  })
})

test('a pump that is just strong enough is not scaled', () => {
  const { headPa } = invert(loop, request)
  expect(invert(loop, { ...request, pump: { kind: 'free', maxHeadPa: headPa } }).scale).toBe(1)
  expect(invert(loop, { ...request, pump: { kind: 'free', maxHeadPa: 0.99 * headPa } }).scale).toBeLessThan(1)
})

test('a head may be lowered to save pump power only if the pump can be set and some valve can move', () => {
  const short = { ...request, shortRms: 0.05 }
  const { headPa, openings } = invert(loop, request)
  const retained = invert(loop, { ...short, pump: { kind: 'fixed-head', headPa } })
  expect([retained.headPa, retained.spared]).toEqual([headPa, []])
  const isFixed = new Uint8Array(COUNT).fill(1)
  expect(invert(loop, { ...short, isFixed, openings }).headPa / headPa).toBeCloseTo(1, 5)
})
