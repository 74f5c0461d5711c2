import { pascal } from '@isotherm/kernel/quantities'
import { sum } from '@isotherm/kernel/statistics'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { solveLoop } from '../loop/loop-flows.ts'
import { consumerS } from '../loop/loop-model.ts'
import { createSampleLoop, filled } from '../loop/sample-loop.testkit.ts'
import { findEconomyHead, shareHead } from './economy-head.ts'
import { type InvertRequest, invert } from './invert.ts'

const COUNT = 24
const loop = createSampleLoop(COUNT)
const request: InvertRequest = {
  targetKgS: filled(COUNT, 1),
  openings: filled(COUNT, 0.6),
  isFixed: new Uint8Array(COUNT),
  minOpening: 0.01,
  indexOpening: 0.95,
  servedShare: 1,
  shortRms: 0.05,
  shortage: 'shared',
  pump: { kind: 'free', maxHeadPa: 900_000 },
}
/** Root mean square of ln of each flow relative to the largest share of a target. */
function shortness(flowKgS: Float64Array, scale: number): number {
  const squares = flowKgS.map((flow) => Math.log(flow / scale) ** 2)
  return Math.sqrt(sum(squares) / flowKgS.length)
}

test('the last consumers of a street are short by the allowed amount, the head falls, and the total stays', () => {
  const whole = invert(loop, { ...request, shortRms: 0 })
  const spare = invert(loop, request)
  expect(spare.headPa).toBeLessThan(0.93 * whole.headPa)
  expect(spare.flows.totalKgS).toBeCloseTo(COUNT, 2)
  expect(shortness(spare.flows.flowKgS, spare.scale)).toBeCloseTo(0.05, 2)
  expect(spare.spared.length).toBeGreaterThan(0)
  expect(spare.spared.length).toBeLessThan(COUNT / 2)
  expect(spare.starved).toEqual([])
  for (const consumer of spare.spared) expect(spare.openings[consumer]).toBe(1)
})

test('in any loop the allowed shortage is used fully, with flows that the openings really give', () => {
  const share = fc.double({ min: 0.6, max: 1.5, noNaN: true })
  const allowed = fc.double({ min: 0.01, max: 0.1, noNaN: true })
  fc.assert(
    fc.property(
      fc.array(share, { minLength: 12, maxLength: 40 }),
      fc.nat(1000),
      allowed,
      (shares, seed, rms) => {
        const made = createSampleLoop(shares.length, seed)
        const targetKgS = Float64Array.from(shares)
        const own = {
          ...request,
          targetKgS,
          shortRms: rms,
          openings: filled(shares.length, 0.5),
          isFixed: new Uint8Array(shares.length),
        }
        const { flows, headPa, scale } = invert(made, own)
        const beside = flows.flowKgS.map((flow, i) => flow / (targetKgS[i] ?? 1))
        expect(shortness(beside, scale)).toBeLessThan(rms + 0.003)
        expect(Math.abs(flows.totalKgS / sum(targetKgS) - 1)).toBeLessThan(1e-3)
        expect(headPa).toBeLessThanOrEqual(invert(made, { ...own, shortRms: 0 }).headPa * (1 + 1e-9))
      },
    ),
    { numRuns: 40 },
  )
})

test('a clogged strainer is starved, not spared, and the allowance is spent on the others', () => {
  const clogged = createSampleLoop(COUNT)
  clogged.network.circuitResistance[7] = 40 * (clogged.network.circuitResistance[7] ?? 0)
  const { starved, spared, headPa } = invert(clogged, { ...request, servedShare: 0.94 })
  expect(starved).toContain(7)
  expect(spared).not.toContain(7)
  expect(headPa).toBeLessThan(invert(clogged, { ...request, servedShare: 0.94, shortRms: 0 }).headPa)
})

test('shares at a head are the flows of the loop with the short valves open and a stuck valve unchanged', () => {
  const isFixed = new Uint8Array(COUNT)
  isFixed[5] = 1
  const headPa = 0.8 * invert(loop, { ...request, shortRms: 0 }).headPa
  const { flowKgS, isShort } = shareHead(loop, { ...request, isFixed }, { headPa, scale: 1 })
  const pump = { kind: 'fixed-head', headPa } as const
  const { openings } = invert(loop, { ...request, isFixed, pump, shortage: 'at-the-end' })
  const { flowKgS: real } = solveLoop(loop, openings, { kind: 'head', head: pascal(headPa) })
  expect(isShort).toContain(1)
  real.forEach((flow, i) => {
    expect(flow).toBeCloseTo(flowKgS[i] ?? 0, 3)
    if (isShort[i] === 0 && i !== 5) expect(flow).toBeCloseTo(1, 3)
  })
})

test('targets of the others rise so that the flows add up to the total', () => {
  const headPa = 0.85 * invert(loop, { ...request, shortRms: 0 }).headPa
  const shares = shareHead(loop, request, { headPa, scale: 1, totalKgS: COUNT })
  expect(sum(shares.flowKgS)).toBeCloseTo(COUNT, 2)
  expect(shares.scale).toBeGreaterThan(1.005)
  expect(shares.headPa).toBe(headPa)
  shares.flowKgS.forEach((flow, i) => {
    if (shares.isShort[i] === 1) expect(flow).toBeLessThan(shares.scale)
    else expect(flow).toBeCloseTo(shares.scale, 3)
  })
  // A search that starts near finds the same.
  const near = shareHead(loop, request, { headPa, scale: 1, totalKgS: COUNT, near: shares })
  expect(near.isShort).toEqual(shares.isShort)
  expect(near.scale).toBeCloseTo(shares.scale, 3)
})

test('with enough head nobody is short; a fixed valve never counts as short, and its flow is not a target', () => {
  const isFixed = new Uint8Array(COUNT)
  isFixed[COUNT - 1] = 1
  const openings = filled(COUNT, 0.3)
  const { headPa } = invert(loop, { ...request, shortRms: 0 })
  const shares = shareHead(loop, { ...request, isFixed, openings }, { headPa, scale: 1 })
  expect(shares.isShort).not.toContain(1)
  const own = consumerS(loop, COUNT - 1, 0.3)
  const left = headPa - (shares.path[loop.network.circuitNode[COUNT - 1] ?? 0] ?? 0)
  expect((shares.flowKgS[COUNT - 1] ?? 0) / Math.sqrt(left / own)).toBeCloseTo(1, 6)
  // The total counts the flow of the fixed valve as it is.
  const total = shareHead(loop, { ...request, isFixed, openings }, { headPa, scale: 1, totalKgS: COUNT })
  expect(sum(total.flowKgS)).toBeCloseTo(COUNT, 2)
  expect(total.scale).toBeGreaterThan(1)
})

test('the economy head is between 70 % and the whole of the head that serves all', () => {
  const { headPa } = invert(loop, { ...request, shortRms: 0 })
  expect(findEconomyHead(loop, { ...request, shortRms: 5 }, headPa, 1).headPa / headPa).toBeCloseTo(0.7, 6)
  const little = findEconomyHead(loop, { ...request, shortRms: 1e-4 }, headPa, 1)
  expect(little.headPa / headPa).toBeGreaterThan(0.98)
  const half = findEconomyHead(loop, { ...request, shortRms: 0.03 }, headPa, 1)
  expect(shortness(half.flowKgS, half.scale)).toBeCloseTo(0.03, 2)
  expect(sum(half.flowKgS)).toBeCloseTo(COUNT, 2)
})

test('scaled targets stay scaled: the total is the scaled one', () => {
  const { headPa } = invert(loop, { ...request, shortRms: 0 })
  const weak = findEconomyHead(loop, request, 0.5 * headPa, 0.7)
  expect(sum(weak.flowKgS)).toBeCloseTo(0.7 * COUNT, 2)
})

test('fixed consumers, and those without a target, do not count for the allowed shortage', () => {
  const { headPa } = invert(loop, { ...request, shortRms: 0 })
  const isFixed = Uint8Array.from({ length: COUNT }, (_, i) => (i < COUNT / 2 ? 1 : 0))
  const openings = invert(loop, { ...request, shortRms: 0 }).openings
  const shares = findEconomyHead(loop, { ...request, isFixed, openings }, headPa, 1)
  const movable = shares.flowKgS.filter((_, i) => isFixed[i] === 0)
  expect(shortness(movable, shares.scale)).toBeCloseTo(0.05, 2)
  const targetKgS = filled(COUNT, 1)
  targetKgS[2] = 0
  const idle = findEconomyHead(loop, { ...request, targetKgS }, headPa, 1)
  expect(idle.flowKgS[2]).toBe(0)
  const served = idle.flowKgS.filter((_, i) => i !== 2)
  expect(shortness(served, idle.scale)).toBeCloseTo(0.05, 2)
})

test('the shortage of each consumer counts relative to its own target', () => {
  const targetKgS = Float64Array.from({ length: COUNT }, (_, i) => (i % 2 === 0 ? 0.8 : 1.2))
  const { headPa } = invert(loop, { ...request, targetKgS, shortRms: 0 })
  const shares = findEconomyHead(loop, { ...request, targetKgS }, headPa, 1)
  const ofTargets = shares.flowKgS.map((flow, i) => flow / (targetKgS[i] ?? 1))
  expect(shortness(ofTargets, shares.scale)).toBeCloseTo(0.05, 2)
  expect(shares.headPa).toBeLessThan(0.93 * headPa)
})
