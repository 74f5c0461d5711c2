import { pascal } from '@isotherm/kernel/quantities'
import { expect, test } from 'vitest'
import { invert } from '../invert/invert.ts'
import { solveLoop } from '../loop/loop-flows.ts'
import { createSampleLoop, filled } from '../loop/sample-loop.testkit.ts'
import { findLosses } from './loop-losses.ts'

const COUNT = 16
const loop = createSampleLoop(COUNT)
const HEAD_PA = 120_000
const openings = Float64Array.from({ length: COUNT }, (_, i) => 0.5 + 0.02 * i)
const solved = solveLoop(loop, openings, { kind: 'head', head: pascal(HEAD_PA) })

test('losses of paths match the heads that the solver gives at the nodes', () => {
  const { pathPa } = findLosses(loop, { headPa: HEAD_PA, flowKgS: solved.flowKgS }, solved.flowKgS)
  pathPa.forEach((loss, i) => {
    const node = loop.network.circuitNode[i] ?? 0
    expect(loss).toBeCloseTo(HEAD_PA - (solved.nodeHeadPa[node] ?? 0), 0)
  })
})

test('the loss of every circuit is the whole head at its present flow, and less or more at the required flow', () => {
  const seen = { headPa: HEAD_PA, flowKgS: solved.flowKgS }
  for (const loss of findLosses(loop, seen, solved.flowKgS).loopPa) expect(loss).toBeCloseTo(HEAD_PA, 0)
  const wanted = filled(COUNT, solved.totalKgS / COUNT)
  const apart = findLosses(loop, seen, wanted).loopPa
  expect(Math.max(...apart) / Math.min(...apart)).toBeGreaterThan(1.3)
  const balanced = invert(loop, {
    targetKgS: wanted,
    openings,
    isFixed: new Uint8Array(COUNT),
    minOpening: 0.01,
    indexOpening: 0.95,
    servedShare: 1,
    shortRms: 0,
    shortage: 'shared',
    pump: { kind: 'free', maxHeadPa: 10 * HEAD_PA },
  })
  const after = { headPa: balanced.headPa, flowKgS: balanced.flows.flowKgS }
  const together = findLosses(loop, after, wanted).loopPa
  expect(Math.max(...together) / Math.min(...together)).toBeLessThan(1.001)
})

test('a flow 10 % above its requirement means a loss about 20 % lower at the required flow', () => {
  const wanted = solved.flowKgS.slice()
  wanted[3] = (wanted[3] ?? 0) / 1.1
  const { pathPa, loopPa } = findLosses(loop, { headPa: HEAD_PA, flowKgS: solved.flowKgS }, wanted)
  const own = HEAD_PA - (pathPa[3] ?? 0)
  expect((HEAD_PA - (loopPa[3] ?? 0)) / own).toBeCloseTo(1 - 1 / 1.1 ** 2, 1)
})

test('losses are unknown without flow, and where a path would take more than the head', () => {
  const flowKgS = solved.flowKgS.slice()
  flowKgS[2] = 0
  const { pathPa, loopPa } = findLosses(loop, { headPa: HEAD_PA, flowKgS }, solved.flowKgS)
  expect([pathPa[2], loopPa[2]]).toEqual([Number.NaN, Number.NaN])
  const weak = findLosses(loop, { headPa: 1, flowKgS }, solved.flowKgS)
  expect([...weak.loopPa].every(Number.isNaN)).toBe(true)
})
