import { sum } from '@isotherm/kernel/statistics'
import { expect, test } from 'vitest'
import { firstStep, makeStation } from '../plan/sample-station.testkit.ts'
import { findStepFlows } from './step-flows.ts'

const COUNT = 16
const { records, ...order } = firstStep(makeStation(COUNT, 1))
const { seen } = order
const off = (flowKgS: Float64Array, i: number): number =>
  Math.abs((flowKgS[i] ?? Number.NaN) / (seen.meterKgS[i] ?? Number.NaN) - 1)

test('flows of meters that agree with the station are taken as they are', () => {
  const flows = findStepFlows(records, seen, 'metered')
  for (const i of flows.keys()) expect(flows[i]).toBeCloseTo(seen.meterKgS[i] ?? 0, 6)
})

test('a missing meter is made up for by temperatures, held against those that there are', () => {
  const meterKgS = seen.meterKgS.map((flow, i) => (i === 4 ? Number.NaN : flow))
  const flows = findStepFlows(records, { ...seen, meterKgS }, 'metered')
  expect(off(flows, 4)).toBeLessThan(0.1)
  expect(Math.max(...[...flows.keys()].filter((i) => i !== 4).map((i) => off(flows, i)))).toBeLessThan(0.01)
})

test('a meter that stands is believed: nothing flows there', () => {
  const meterKgS = seen.meterKgS.map((flow, i) => (i === 4 ? 0 : flow))
  const totalKgS = sum(meterKgS)
  expect(findStepFlows(records, { ...seen, meterKgS, totalKgS }, 'metered')[4]).toBe(0)
})

test('temperatures alone add up to the flow of the station, whatever the meters say', () => {
  const flows = findStepFlows(records, { ...seen, meterKgS: new Float64Array(COUNT) }, 'temperature-only')
  expect(sum(flows) / seen.totalKgS).toBeCloseTo(1, 3)
  expect(Math.max(...[...flows.keys()].map((i) => off(flows, i)))).toBeLessThan(0.3)
})

test('a station without a meter of its own takes consumers at their word', () => {
  const flows = findStepFlows(records, { ...seen, totalKgS: Number.NaN }, 'metered')
  expect(flows).toEqual(seen.meterKgS)
})
