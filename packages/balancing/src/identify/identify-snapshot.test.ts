import { pascal } from '@isotherm/kernel/quantities'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { solveLoop } from '../loop/loop-flows.ts'
import { consumerS, scaleCircuits, scalePipes, valveS } from '../loop/loop-model.ts'
import { createSampleLoop, filled } from '../loop/sample-loop.testkit.ts'
import { clogCircuits, identifyFromSnapshot, pinToSnapshot } from './identify-snapshot.ts'

const COUNT = 16
const recorded = createSampleLoop(COUNT)
const head = { kind: 'head', head: pascal(120_000) } as const
const openings = Float64Array.from({ length: COUNT }, (_, i) => 0.5 + 0.02 * i)

test('circuits that differ from their records are identified from one snapshot', () => {
  const factor = fc.array(fc.double({ min: 0.4, max: 2.5, noNaN: true }), {
    minLength: COUNT,
    maxLength: COUNT,
  })
  fc.assert(
    fc.property(factor, (factors) => {
      const real = scaleCircuits(recorded, Float64Array.from(factors))
      const { flowKgS } = solveLoop(real, openings, head)
      const found = identifyFromSnapshot(recorded, { headPa: 120_000, flowKgS, openings })
      expect(found.notIdentified).toEqual([])
      for (const [i, value] of factors.entries()) expect(found.circuitFactor[i]).toBeCloseTo(value, 3)
    }),
    { numRuns: 40 },
  )
})

test('the identified model reproduces the snapshot even if mains and valves differ from their records', () => {
  const real = scaleCircuits(
    scalePipes(recorded, filled(recorded.network.pipeCount, 1.5)),
    filled(COUNT, 1.2),
  )
  const { flowKgS } = solveLoop(real, openings, head)
  const found = identifyFromSnapshot(recorded, { headPa: 120_000, flowKgS, openings })
  const again = solveLoop(found.model, openings, head)
  for (const [i, flow] of flowKgS.entries()) expect((again.flowKgS[i] ?? 0) / flow).toBeCloseTo(1, 4)
})

test('a consumer without flow, and one whose valve alone needs more than the head, are not identified', () => {
  const { flowKgS } = solveLoop(recorded, openings, head)
  flowKgS[2] = 0
  flowKgS[5] = 1.3 * (flowKgS[5] ?? 0)
  const found = identifyFromSnapshot(recorded, { headPa: 120_000, flowKgS, openings })
  expect(found.notIdentified).toEqual([2, 5])
  expect(found.circuitFactor[2]).toBe(1)
  expect(found.circuitFactor[5]).toBe(0.05)
  expect(found.model.network.circuitResistance[5]).toBeCloseTo(
    0.05 * (recorded.network.circuitResistance[5] ?? 0),
    9,
  )
})

test('a circuit recorded without resistance is not identified and stays as it is', () => {
  const smooth = createSampleLoop(COUNT)
  smooth.network.circuitResistance[3] = 0
  const { flowKgS } = solveLoop(recorded, openings, head)
  const found = identifyFromSnapshot(smooth, { headPa: 120_000, flowKgS, openings })
  expect(found.notIdentified).toEqual([3])
  expect(found.circuitFactor[3]).toBe(1)
})

test('pinning multiplies circuit and valve of each consumer by the same factor, until the flows are those of the snapshot', () => {
  const { flowKgS } = solveLoop(scaleCircuits(recorded, filled(COUNT, 1.7)), openings, head)
  const pinned = pinToSnapshot(recorded, { headPa: 120_000, flowKgS, openings })
  solveLoop(pinned, openings, head).flowKgS.forEach((flow, i) => {
    expect(flow / (flowKgS[i] ?? 0)).toBeCloseTo(1, 4)
    const circuit =
      (pinned.network.circuitResistance[i] ?? 0) / (recorded.network.circuitResistance[i] ?? Number.NaN)
    expect(circuit).toBeGreaterThan(1.03)
    expect(valveS(pinned, i, 0.6) / valveS(recorded, i, 0.6)).toBeCloseTo(circuit, 9)
    expect(consumerS(pinned, i, 0.3) / consumerS(recorded, i, 0.3)).toBeCloseTo(circuit, 9)
  })
})

test('pinning does not change a consumer without flow, with a shut valve, or whose mains take more than the head', () => {
  const { flowKgS } = solveLoop(recorded, openings, head)
  flowKgS[2] = 0
  const shut = openings.slice()
  shut[4] = 0
  const pinned = pinToSnapshot(recorded, { headPa: 120_000, flowKgS, openings: shut })
  for (const i of [2, 4]) {
    expect(pinned.network.circuitResistance[i]).toBe(recorded.network.circuitResistance[i])
    expect(pinned.valves[i]).toEqual(recorded.valves[i])
  }
  const weak = pinToSnapshot(recorded, { headPa: 100, flowKgS, openings })
  expect([...weak.network.circuitResistance]).toEqual([...recorded.network.circuitResistance])
})

test('a clogged circuit keeps its own resistance, and the others stay as recorded', () => {
  const clogged = filled(COUNT, 1.3)
  clogged[3] = 80
  const { flowKgS } = solveLoop(scaleCircuits(recorded, clogged), openings, head)
  const found = clogCircuits(recorded, { headPa: 120_000, flowKgS, openings })
  const factors = found.network.circuitResistance.map(
    (value, i) => value / (recorded.network.circuitResistance[i] ?? Number.NaN),
  )
  expect(factors[3]).toBeCloseTo(80, 2)
  for (const i of [0, 1, 2, 4, COUNT - 1]) expect(factors[i]).toBe(1)
})

test('no circuit is clogged if all of them differ from their records by the same factor', () => {
  const { flowKgS } = solveLoop(scaleCircuits(recorded, filled(COUNT, 20)), openings, head)
  const found = clogCircuits(recorded, { headPa: 120_000, flowKgS, openings })
  expect(found.network.circuitResistance).toEqual(recorded.network.circuitResistance)
})
