import { pascal } from '@isotherm/kernel/quantities'
import { createRandom } from '@isotherm/kernel/random'
import { mean, sum, weightedDeviation } from '@isotherm/kernel/statistics'
import { expect, test } from 'vitest'
import { solveLoop } from '../loop/loop-flows.ts'
import { filled } from '../loop/sample-loop.testkit.ts'
import { createSampleStation } from '../plan/sample-station.testkit.ts'
import type { FlowKnowledge } from '../records/loop-records.ts'
import { sampleLoop, sampleStem } from './possible-loops.ts'
import { NO_MEMORY, remember, type StepMemory } from './step-memory.ts'
import { modelOf } from './step-model.ts'

const COUNT = 8
/** A source whose every normal number is −√(2·ln 2) = −1.1774 standard deviations. */
const low = () => 0.5
const LOW = -Math.sqrt(2 * Math.LN2)
/** A source whose every normal number is the mean. */
const middle = () => 0

const station = () => createSampleStation(COUNT, 3)
/** Memory with a snapshot of the station at each of these openings. */
const memoryOf = (...openings: readonly Float64Array[]): StepMemory =>
  openings.reduce((memory, own) => {
    const { headPa, meterKgS } = station().readAt(own)
    return remember(memory, { headPa, flowKgS: meterKgS, openings: own })
  }, NO_MEMORY)
const sampleOf = (memory: StepMemory, badness: number, seed: number, flows: FlowKnowledge = 'metered') => {
  const possible = sampleLoop(station().records, memory, flows, { badness, random: createRandom(seed) })
  if (possible === undefined) throw new Error('no sample')
  return possible
}
const SEEDS = Array.from({ length: 30 }, (_, seed) => seed + 1)

test('a stem is sampled with 0.6 % of its travel, between 2 % and fully open', () => {
  const random = createRandom(1)
  const stems = Array.from({ length: 4000 }, () => sampleStem(random, 0.5))
  expect(mean(stems)).toBeCloseTo(0.5, 3)
  expect(weightedDeviation(stems)).toBeCloseTo(0.006, 3)
  expect(sampleStem(low, 0.5)).toBeCloseTo(0.5 + 0.006 * LOW, 12)
  expect(sampleStem(low, 0)).toBe(0.02)
  expect(sampleStem(low, 1.2)).toBe(1)
})

test('without a snapshot no loop can be sampled', () => {
  const order = { badness: 0.5, random: createRandom(1) }
  expect(sampleLoop(station().records, NO_MEMORY, 'metered', order)).toBeUndefined()
})

test.each([
  [0, 0.25],
  [0.5, 0.825],
  [1, 1.4],
])('records of rank %d are sampled with %d times the usual errors', (badness, quality) => {
  // A snapshot without flow identifies nothing, so the sampled loop is as sampled from the records.
  const shut = remember(NO_MEMORY, {
    headPa: 100_000,
    flowKgS: filled(COUNT, 0),
    openings: filled(COUNT, 0.5),
  })
  const { records } = station()
  const { loop } = records
  const { model } = sampleLoop(records, shut, 'metered', { badness, random: low }) ?? {}
  const factor = (sigma: number) => Math.exp(LOW * quality * sigma)
  model?.pipes.forEach(({ length, localLoss }, pipe) => {
    expect(length / (loop.pipes[pipe]?.length ?? 0)).toBeCloseTo(factor(0.4), 9)
    expect(localLoss / (loop.pipes[pipe]?.localLoss ?? 0)).toBeCloseTo(factor(0.4), 9)
  })
  model?.network.circuitResistance.forEach((value, i) => {
    expect(value / (loop.network.circuitResistance[i] ?? 0)).toBeCloseTo(factor(0.6), 9)
  })
  expect(model?.valves).toHaveLength(COUNT)
  expect(model?.valves[2]).toEqual({
    kind: 'equal-percentage',
    kvs: expect.closeTo(16 * factor(0.15), 9),
    rangeability: expect.closeTo(40 * factor(0.25), 9),
  })
})

test('pipes with their own uncertainty are sampled with it', () => {
  const shut = remember(NO_MEMORY, {
    headPa: 100_000,
    flowKgS: filled(COUNT, 0),
    openings: filled(COUNT, 0.5),
  })
  const { records } = station()
  const mainsSigma = records.loop.pipes.map((_, pipe) => (pipe === 1 ? 0.2 : 0.3))
  const known = { ...records, mainsSigma: Float64Array.from(mainsSigma) }
  const { model } = sampleLoop(known, shut, 'metered', { badness: 1, random: low }) ?? {}
  const factors = model?.pipes.map(({ length }, pipe) => length / (records.loop.pipes[pipe]?.length ?? 0))
  expect(factors).toEqual(mainsSigma.map((sigma) => expect.closeTo(Math.exp(LOW * 1.4 * sigma), 9)))
})

test('a sampled snapshot has another head and other stems, and the station’s flow', () => {
  const openings = filled(COUNT, 0.6)
  const { headPa, meterKgS } = station().readAt(openings)
  const order = { badness: 0.5, random: low }
  const { snapshot } = sampleLoop(station().records, memoryOf(openings), 'metered', order) ?? {}
  expect(snapshot?.headPa).toBeCloseTo(headPa * Math.exp(0.005 * LOW), 6)
  expect(snapshot?.openings[4]).toBeCloseTo(0.6 + 0.006 * LOW, 12)
  // All meters are off by the same factor here, and the station's flow removes it.
  snapshot?.flowKgS.forEach((flow, i) => {
    expect(flow).toBeCloseTo(meterKgS[i] ?? 0, 9)
  })
})

test.each([
  ['metered', 0.012],
  ['temperature-only', 0.12],
] as const)('the flows of %s snapshots are sampled with their error', (flows, sigma) => {
  const openings = filled(COUNT, 0.6)
  const { meterKgS, totalKgS } = station().readAt(openings)
  const memory = memoryOf(openings)
  const errors = SEEDS.flatMap((seed) => {
    const { snapshot } = sampleOf(memory, 0.5, seed, flows)
    expect(sum(snapshot.flowKgS) / totalKgS).toBeCloseTo(1, 6)
    return Array.from(snapshot.flowKgS, (flow, i) => Math.log(flow / (meterKgS[i] ?? 0)))
  })
  expect((weightedDeviation(errors) ?? 0) / sigma).toBeGreaterThan(0.8)
  expect((weightedDeviation(errors) ?? 0) / sigma).toBeLessThan(1.1)
})

test('a sampled loop reproduces its own snapshot, which is the newest of the memory', () => {
  const memory = memoryOf(filled(COUNT, 0.9), filled(COUNT, 0.6))
  for (const seed of SEEDS.slice(0, 5)) {
    const { model, snapshot } = sampleOf(memory, 1, seed)
    expect(mean(snapshot.openings)).toBeCloseTo(0.6, 1)
    const head = { kind: 'head', head: pascal(snapshot.headPa) } as const
    const { flowKgS } = solveLoop(model, snapshot.openings, head)
    flowKgS.forEach((flow, i) => {
      expect(flow / (snapshot.flowKgS[i] ?? 0)).toBeCloseTo(1, 3)
    })
  }
})

/** Standard deviation of the sampled flows at other openings, ln ṁ, mean of all consumers. */
function doubtOf(memory: StepMemory, badness: number): number {
  const elsewhere = Float64Array.from({ length: COUNT }, (_, i) => (i % 2 === 0 ? 0.4 : 1))
  const flows = SEEDS.map((seed) => {
    const { model, snapshot } = sampleOf(memory, badness, seed)
    return solveLoop(model, elsewhere, { kind: 'head', head: pascal(snapshot.headPa) }).flowKgS
  })
  return mean(
    Array.from(elsewhere, (_, i) => weightedDeviation(flows.map((flow) => Math.log(flow[i] ?? 0))) ?? 0),
  )
}

test('worse records leave more doubt, and each snapshot at other openings removes some', () => {
  const first = filled(COUNT, 0.6)
  const more = [0, 1, 2].map((shift) =>
    Float64Array.from({ length: COUNT }, (_, i) => 0.45 + 0.1 * ((3 * i + shift) % 5)),
  )
  const one = doubtOf(memoryOf(first), 1)
  expect(one).toBeGreaterThan(1.5 * doubtOf(memoryOf(first), 0))
  expect(doubtOf(memoryOf(...more, first), 1)).toBeLessThan(0.7 * one)
})

test('a loop sampled without any error is nearly the identified one: two iterations are enough', () => {
  const memory = memoryOf(filled(COUNT, 0.6))
  const { records, readAt } = station()
  const { headPa, meterKgS } = readAt(filled(COUNT, 0.6))
  const possible = sampleLoop(records, memory, 'metered', { badness: 1, random: middle })
  expect(possible?.snapshot).toEqual({ headPa, flowKgS: meterKgS, openings: filled(COUNT, 0.6) })
  const likely = modelOf(records, memory, 'metered')
  const elsewhere = Float64Array.from({ length: COUNT }, (_, i) => (i % 2 === 0 ? 0.4 : 1))
  const head = { kind: 'head', head: pascal(headPa) } as const
  const { flowKgS } = solveLoop(likely, elsewhere, head)
  solveLoop(possible?.model ?? records.loop, elsewhere, head).flowKgS.forEach((flow, i) => {
    expect(Math.abs(flow / (flowKgS[i] ?? 0) - 1), String(i)).toBeLessThan(0.002)
  })
})
