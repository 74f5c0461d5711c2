import { sum } from '@isotherm/kernel/statistics'
import { expect, test } from 'vitest'
import { createSampleStation, firstStep } from '../plan/sample-station.testkit.ts'
import { findStepFlows } from './step-flows.ts'

const COUNT = 16
const { records, ...order } = firstStep(createSampleStation(COUNT, 1))
const { seen } = order
const off = (flowKgS: Float64Array, i: number): number =>
  Math.abs((flowKgS[i] ?? Number.NaN) / (seen.meterKgS[i] ?? Number.NaN) - 1)

test('metered flows that agree with the station are used as they are', () => {
  const flows = findStepFlows(records, seen, 'metered')
  for (const i of flows.keys()) expect(flows[i]).toBeCloseTo(seen.meterKgS[i] ?? 0, 6)
})

test('a missing meter is replaced by temperatures, calibrated with the meters that work', () => {
  const meterKgS = seen.meterKgS.map((flow, i) => (i === 4 ? Number.NaN : flow))
  const flows = findStepFlows(records, { ...seen, meterKgS }, 'metered')
  expect(off(flows, 4)).toBeLessThan(0.1)
  expect(Math.max(...[...flows.keys()].filter((i) => i !== 4).map((i) => off(flows, i)))).toBeLessThan(0.01)
})

test('a meter at zero is trusted: there is no flow', () => {
  const meterKgS = seen.meterKgS.map((flow, i) => (i === 4 ? 0 : flow))
  const totalKgS = sum(meterKgS)
  expect(findStepFlows(records, { ...seen, meterKgS, totalKgS }, 'metered')[4]).toBe(0)
})

test('with temperatures only, flows add up to the station’s flow, whatever the meters show', () => {
  const flows = findStepFlows(records, { ...seen, meterKgS: new Float64Array(COUNT) }, 'temperature-only')
  expect(sum(flows) / seen.totalKgS).toBeCloseTo(1, 3)
  expect(Math.max(...[...flows.keys()].map((i) => off(flows, i)))).toBeLessThan(0.3)
})

test('without a meter of the station the flows of consumers are used as they are', () => {
  const flows = findStepFlows(records, { ...seen, totalKgS: Number.NaN }, 'metered')
  expect(flows).toEqual(seen.meterKgS)
})
