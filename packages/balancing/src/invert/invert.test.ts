import { pumpThrough, speedFor } from '@isotherm/hydraulics/elements/pump'
import { kilogramPerSecond, pascal } from '@isotherm/kernel/quantities'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mostHead, solveLoop } from '../loop/loop-flows.ts'
import { scalePipes } from '../loop/loop-model.ts'
import { createSampleLoop, filled } from '../loop/sample-loop.testkit.ts'
import { type InvertRequest, invert } from './invert.ts'

const COUNT = 20
const loop = createSampleLoop(COUNT)
const request: InvertRequest = {
  targetKgS: filled(COUNT, 1),
  openings: filled(COUNT, 0.6),
  isFixed: new Uint8Array(COUNT),
  leastOpening: 0.1,
  indexOpening: 0.95,
  servedShare: 1,
  shortRms: 0,
  shortage: 'shared',
  pump: { kind: 'free', mostHeadPa: 500_000 },
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
      const { flows, overfed } = invert(scalePipes(made, factor), { ...own, leastOpening: 0.01 })
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
  const leastHeadPa = 1.3 * free.headPa
  const inversion = invert(loop, { ...request, pump: { kind: 'free', mostHeadPa: 500_000, leastHeadPa } })
  expect(inversion.headPa).toBe(leastHeadPa)
  expect(inversion.flows.headPa).toBe(leastHeadPa)
  expect(worst(inversion.flows.flowKgS, request.targetKgS)).toBeLessThan(1e-5)
  const spared = { ...request, shortRms: 0.045, pump: { kind: 'free', mostHeadPa: 500_000 } } as const
  const least = { ...spared.pump, leastHeadPa: free.headPa }
  expect(invert(loop, spared).headPa).toBeLessThan(free.headPa)
  expect(invert(loop, { ...spared, pump: least }).headPa).toBe(free.headPa)
})

test('a pump of one speed is solved at the total target flow', () => {
  const free = invert(loop, request)
  const pump = pumpThrough(pascal(2 * free.headPa), pascal(1.4 * free.headPa), kilogramPerSecond(COUNT))
  const inversion = invert(loop, { ...request, pump: { kind: 'fixed-speed', pump, speed: 1 } })
  expect(inversion.flows.headPa).toBeCloseTo(mostHead({ kind: 'fixed-speed', pump, speed: 1 }, COUNT), 0)
  expect(worst(inversion.flows.flowKgS, request.targetKgS)).toBeLessThan(1e-4)
  expect(speedFor(pump, 1.4 * free.headPa, COUNT)).toBeCloseTo(1, 9)
})

test('if the pump is too weak, all consumers are short by the same factor', () => {
  const free = invert(loop, request)
  const short = invert(loop, { ...request, pump: { kind: 'free', mostHeadPa: free.headPa / 2 } })
  expect(short.scale).toBeGreaterThan(0.69)
  expect(short.scale).toBeLessThan(0.74)
  expect(short.headPa).toBeLessThanOrEqual((free.headPa / 2) * 1.001)
  for (const flow of short.flows.flowKgS) expect(flow).toBeCloseTo(short.scale, 3)
})

test('a consumer with too much flow at the minimum opening is reported', () => {
  const targetKgS = filled(COUNT, 1)
  targetKgS[0] = 0.02
  const { overfed, openings } = invert(loop, { ...request, targetKgS, leastOpening: 0.2 })
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
