import { flowCoefficient, pascal } from '@isotherm/kernel/quantities'
import { createRandom, sampleNormal } from '@isotherm/kernel/random'
import { expect, test } from 'vitest'
import { solveLoop } from '../loop/loop-flows.ts'
import { type LoopModel, scaleCircuits, scalePipes } from '../loop/loop-model.ts'
import { createSampleLoop, filled } from '../loop/sample-loop.testkit.ts'
import { identifyLoop, USUAL_PRIOR } from './identify-loop.ts'
import { identifyFromSnapshot, pinToSnapshot } from './identify-snapshot.ts'

const COUNT = 40
const HEAD = 200_000
const recorded = createSampleLoop(COUNT)
const random = createRandom(5)
const lognormal = (count: number, sigma: number): Float64Array =>
  Float64Array.from({ length: count }, () => Math.exp(sampleNormal(random, 0, sigma)))
const mainsFactor = lognormal(recorded.network.pipeCount, 0.3)
const real: LoopModel = {
  ...scaleCircuits(scalePipes(recorded, mainsFactor), lognormal(COUNT, 0.3)),
  valves: recorded.valves.map(() => ({
    kind: 'equal-percentage',
    kvs: flowCoefficient(16 * Math.exp(sampleNormal(random, 0, 0.1))),
    rangeability: 40 * Math.exp(sampleNormal(random, 0, 0.2)),
  })),
}
const head = { kind: 'head', head: pascal(HEAD) } as const
const take = (openings: Float64Array) => ({
  headPa: HEAD,
  flowKgS: solveLoop(real, openings, head).flowKgS,
  openings,
})
const prior = { ...USUAL_PRIOR, flow: filled(COUNT, 0.01), headPa: 500 }
const drawOpenings = () => Float64Array.from({ length: COUNT }, () => 0.4 + 0.6 * random())
const rms = (model: LoopModel, openings: Float64Array): number => {
  const truth = solveLoop(real, openings, head).flowKgS
  const guess = solveLoop(model, openings, head).flowKgS
  return Math.sqrt(guess.reduce((sum, flow, i) => sum + Math.log(flow / (truth[i] ?? 1)) ** 2, 0) / COUNT)
}
const first = take(drawOpenings())
const elsewhere = drawOpenings()

test('a loop that matches its records is identified as recorded', () => {
  const own = { headPa: HEAD, flowKgS: solveLoop(recorded, elsewhere, head).flowKgS, openings: elsewhere }
  const found = identifyLoop(recorded, [own], prior)
  for (const { value } of found.mains) expect(value).toBeCloseTo(1, 2)
  for (const { value } of [...found.circuit, ...found.kvs, ...found.slope])
    expect(Math.abs(value)).toBeLessThan(0.02)
})

test('with one snapshot, priors predict other openings better than the closed form', () => {
  const closed = identifyFromSnapshot(recorded, first).model
  const likely = pinToSnapshot(identifyLoop(recorded, [first], prior).model, first)
  expect(rms(likely, first.openings)).toBeLessThan(1e-4)
  expect(rms(likely, elsewhere)).toBeLessThan(0.7 * rms(closed, elsewhere))
})

test('each snapshot with other openings improves the prediction until little error is left', () => {
  const more = Array.from({ length: 7 }, () => take(drawOpenings()))
  const at = (count: number) =>
    rms(identifyLoop(recorded, [first, ...more.slice(0, count)], prior).model, elsewhere)
  const [one, three, eight] = [at(0), at(2), at(7)]
  expect(three).toBeLessThan(0.7 * one)
  expect(eight).toBeLessThan(three)
  expect(eight).toBeLessThan(0.02)
})

test('one snapshot identifies few valve curves; several with other openings identify most', () => {
  const one = identifyLoop(recorded, [first], prior)
  expect(one.slope.filter(({ isIdentified }) => isIdentified).length).toBeLessThan(COUNT / 4)
  const eight = identifyLoop(
    recorded,
    [first, ...Array.from({ length: 7 }, () => take(drawOpenings()))],
    prior,
  )
  expect(eight.slope.filter(({ isIdentified }) => isIdentified).length).toBeGreaterThan(COUNT / 2)
  expect(eight.kvs.filter(({ isIdentified }) => isIdentified).length).toBeGreaterThan(COUNT / 2)
})

test('the stated widths hold: true values are nearly always within two of them', () => {
  const found = identifyLoop(recorded, [first, take(drawOpenings()), take(drawOpenings())], prior)
  const inside = found.mains.filter(
    ({ value, sigma }, pipe) => Math.abs(value - (mainsFactor[pipe] ?? 1)) < 2 * sigma,
  )
  expect(inside.length / found.mains.length).toBeGreaterThan(0.9)
})

test('a consumer without flow stays as recorded and is reported as not identified', () => {
  const flowKgS = first.flowKgS.slice()
  flowKgS[3] = 0
  const found = identifyLoop(recorded, [{ ...first, flowKgS }], prior)
  expect(found.circuit[3]).toEqual({ value: 0, sigma: prior.circuit, isIdentified: false })
})
