import { pascal } from '@isotherm/kernel/quantities'
import { sum } from '@isotherm/kernel/statistics'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { solveLoop } from '../loop/loop-flows.ts'
import { createSampleLoop, filled } from '../loop/sample-loop.testkit.ts'
import { shareHead } from './economy-head.ts'
import { type InvertRequest, invert } from './invert.ts'

const COUNT = 24
const loop = createSampleLoop(COUNT)
const request: InvertRequest = {
  targetKgS: filled(COUNT, 1),
  openings: filled(COUNT, 0.6),
  isFixed: new Uint8Array(COUNT),
  leastOpening: 0.01,
  indexOpening: 0.95,
  servedShare: 1,
  shortRms: 0.05,
  shortage: 'shared',
  pump: { kind: 'free', mostHeadPa: 900_000 },
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
