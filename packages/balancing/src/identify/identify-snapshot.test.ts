import { pascal } from '@isotherm/kernel/quantities'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { solveLoop } from '../loop/loop-flows.ts'
import { scaleCircuits, scalePipes } from '../loop/loop-model.ts'
import { createSampleLoop, filled } from '../loop/sample-loop.testkit.ts'
import { identifyFromSnapshot } from './identify-snapshot.ts'

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
})
