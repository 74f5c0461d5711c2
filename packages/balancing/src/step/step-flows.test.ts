import { sum } from '@isotherm/kernel/statistics'
import { expect, test } from 'vitest'
import { virtualFlow } from '../identify/reconcile-flows.ts'
import { createSampleStation, firstStep } from '../plan/sample-station.testkit.ts'
import { findStepFlows, flowSigma } from './step-flows.ts'

const COUNT = 16
const { records, ...order } = firstStep(createSampleStation(COUNT, 1))
const { readings } = order
const relativeError = (flowKgS: Float64Array, i: number): number =>
  Math.abs((flowKgS[i] ?? Number.NaN) / (readings.meterKgS[i] ?? Number.NaN) - 1)

test('metered flows that agree with the station are used as they are', () => {
  const flows = findStepFlows(records, readings, 'metered')
  for (const i of flows.keys()) expect(flows[i]).toBeCloseTo(readings.meterKgS[i] ?? 0, 6)
})

test('a missing meter is replaced by temperatures, calibrated with the meters that work', () => {
  const meterKgS = readings.meterKgS.map((flow, i) => (i === 4 ? Number.NaN : flow))
  const flows = findStepFlows(records, { ...readings, meterKgS }, 'metered')
  expect(relativeError(flows, 4)).toBeLessThan(0.1)
  expect(
    Math.max(...[...flows.keys()].filter((i) => i !== 4).map((i) => relativeError(flows, i))),
  ).toBeLessThan(0.01)
})

test('a meter at zero is trusted if the return is cold; otherwise it is dead, and temperatures give the flow', () => {
  const meterKgS = readings.meterKgS.map((flow, i) => (i === 4 ? 0 : flow))
  const returnC = readings.returnC.map((value, i) => (i === 4 ? 21 : value))
  const totalKgS = sum(meterKgS)
  expect(findStepFlows(records, { ...readings, meterKgS, returnC, totalKgS }, 'metered')[4]).toBe(0)
  expect(relativeError(findStepFlows(records, { ...readings, meterKgS }, 'metered'), 4)).toBeLessThan(0.1)
})

test('the flow of a cold building is computed with its measured rooms, or else with rooms at 20 °C', () => {
  const meterKgS = new Float64Array(COUNT).fill(Number.NaN)
  const returnC = readings.returnC.map((value, i) => (i === 4 ? 24 : value))
  const roomC = readings.returnC.map((_, i) => (i === 4 ? 14 : Number.NaN))
  const find = (rooms: Float64Array) =>
    findStepFlows(
      records,
      { ...readings, meterKgS, returnC, roomC: rooms, totalKgS: Number.NaN },
      'temperature-only',
    )
  const [k, n] = [records.emitter[4] ?? 0, records.exponent[4] ?? 1]
  expect(find(roomC)[4]).toBeCloseTo(virtualFlow(k, n, { supplyC: 46, returnC: 24, roomC: 14 }), 9)
  expect(find(new Float64Array(COUNT).fill(Number.NaN))[4]).toBeCloseTo(
    virtualFlow(k, n, { supplyC: 46, returnC: 24, roomC: 20 }),
    9,
  )
})

test('a return as cold as the room means hardly any flow, not the design flow', () => {
  const meterKgS = new Float64Array(COUNT).fill(Number.NaN)
  const roomC = meterKgS
  const flowAt = (returned: number) => {
    const returnC = readings.returnC.map((value, i) => (i === 4 ? returned : value))
    return findStepFlows(records, { ...readings, meterKgS, roomC, returnC }, 'temperature-only')[4] ?? 0
  }
  expect(flowAt(19.9)).toBe(flowAt(20.1))
  expect(flowAt(19.9)).toBeLessThan(0.2 * (records.designKgS[4] ?? 0))
})

test('with temperatures only, flows add up to the station’s flow, whatever the meters show', () => {
  const flows = findStepFlows(records, { ...readings, meterKgS: new Float64Array(COUNT) }, 'temperature-only')
  expect(sum(flows) / readings.totalKgS).toBeCloseTo(1, 3)
  expect(Math.max(...[...flows.keys()].map((i) => relativeError(flows, i)))).toBeLessThan(0.3)
})

test('without a meter of the station the flows of consumers are used as they are', () => {
  const flows = findStepFlows(records, { ...readings, totalKgS: Number.NaN }, 'metered')
  expect(flows).toEqual(readings.meterKgS)
})

const NONE = Number.NaN
const of = (...values: number[]): Float64Array => Float64Array.from(values)
/** Two radiators and a floor with temperatures of water, °C; the meters and the station show these flows, kg/s. */
function find(
  meters: readonly number[],
  stationKgS: number,
  flows: 'metered' | 'temperature-only' = 'metered',
) {
  const [emitter, exponent, designKgS] = [of(900, 1200, 1500), of(1.3, 1.3, 1.1), of(1, 1.5, 2)]
  const known = { ...records, emitter, exponent, designKgS }
  const temperatures = { supplyC: of(48, 48, NONE), returnC: of(40, 38, 36), roomC: of(NONE, NONE, NONE) }
  return findStepFlows(
    known,
    { ...readings, ...temperatures, meterKgS: of(...meters), totalKgS: stationKgS },
    flows,
  )
}
/** Flows of the two radiators from their temperatures; the floor has the mean share of its design flow of 2 kg/s. */
const virtual = () => {
  const first = virtualFlow(900, 1.3, { supplyC: 48, returnC: 40, roomC: 20 })
  const second = virtualFlow(1200, 1.3, { supplyC: 48, returnC: 38, roomC: 20 })
  return [first, second, (2 * (first / 1 + second / 1.5)) / 2]
}
const expectFlows = (found: Float64Array, expectedKgS: readonly number[]): void =>
  expect([...found]).toEqual(expectedKgS.map((flow) => expect.closeTo(flow, 9)))

test('without any meter, flows come from temperatures, or without temperatures from the usual share of the design flow', () => {
  expectFlows(find([NONE, NONE, NONE], NONE), virtual())
  expectFlows(find([9, 9, 9], NONE, 'temperature-only'), virtual())
})

test('the station’s flow corrects all flows from temperatures by one factor', () => {
  const factor = 7 / sum(virtual())
  const expectedKgS = virtual().map((flow) => factor * flow)
  expectFlows(find([NONE, NONE, NONE], 7), expectedKgS)
  expectFlows(find([9, 9, 9], 7, 'temperature-only'), expectedKgS)
})

test('working meters correct the flows from temperatures of the others by one factor', () => {
  const [, second = 0, third = 0] = virtual()
  const factor = 2.2 / second
  expectFlows(find([NONE, 2.2, NONE], NONE), [factor * (virtual()[0] ?? 0), 2.2, factor * third])
  // A meter at zero is dead because its return is warm, and one below zero does not work.
  expectFlows(find([0, 2.2, -1], NONE), [factor * (virtual()[0] ?? 0), 2.2, factor * third])
})

test('a difference from the station’s flow is shared by variance: 1.2 % of meters, 60 % of unknown ones, 1 % of the station', () => {
  const [, second = 0, third = 0] = virtual()
  const flows = [1, 2.2, ((1 + 2.2) / ((virtual()[0] ?? 0) + second)) * third]
  const variance = [0.012, 0.012, 0.6].map((sigma, i) => (sigma * (flows[i] ?? 0)) ** 2)
  const share = (6 - sum(flows)) / (sum(variance) + 0.06 ** 2)
  expectFlows(
    find([1, 2.2, NONE], 6),
    flows.map((flow, i) => flow + (variance[i] ?? 0) * share),
  )
})

test('a flow is known to 1.2 % with meters and to 12 % with temperatures only', () => {
  expect([flowSigma('metered'), flowSigma('temperature-only')]).toEqual([0.012, 0.12])
})

test('a dead meter corrects no other flow', () => {
  const factor = 7 / sum(virtual())
  expectFlows(
    find([0, NONE, NONE], 7),
    virtual().map((flow) => factor * flow),
  )
})

test('a flow of zero at the station counts as no reading', () => {
  expectFlows(find([1, 2.2, 3], 0), [1, 2.2, 3])
  expectFlows(find([NONE, NONE, NONE], 0), virtual())
})

test('without a recorded emitter, the flow of a consumer is its design flow', () => {
  const blank = { ...records, emitter: records.emitter.map(() => 0) }
  const order = { ...readings, totalKgS: NONE }
  expect(findStepFlows(blank, order, 'temperature-only')).toEqual(records.designKgS)
})
