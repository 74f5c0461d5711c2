import { WARM_WATER } from '@isotherm/hydraulics/elements/water'
import { pascal } from '@isotherm/kernel/quantities'
import { sum } from '@isotherm/kernel/statistics'
import { expect, test } from 'vitest'
import { solveLoop } from '../loop/loop-flows.ts'
import { pathLosses, sumFlows } from '../loop/loop-model.ts'
import { filled } from '../loop/sample-loop.testkit.ts'
import { type AssumedStation, assumeRecords, estimateRecords } from './assumed-loop.ts'
import { chooseStationDrop, estimateStationDrop } from './station-drop.ts'

const COUNT = 12
const HEAD_PA = 120_000
const station: AssumedStation = {
  areas: [
    { buildings: Array.from({ length: COUNT }, (_, i) => ({ units: [{ areaM2: 700 + 60 * i, kvs: 16 }] })) },
  ],
}

/** Readings of a station whose exchanger and strainer lose this at the design flow, Pa. */
function see(stationDropPa: number) {
  const { loop, designKgS } = assumeRecords(station, { stationDropPa })
  const { network } = loop
  const { flowKgS, totalKgS } = solveLoop(loop, filled(COUNT, 0.7), { kind: 'head', head: pascal(HEAD_PA) })
  const pipeFlow = sumFlows(network, flowKgS, new Float64Array(network.pipeCount))
  const path = pathLosses(network, pipeFlow, new Float64Array(network.pipeCount + 1))
  return {
    readings: {
      headPa: HEAD_PA,
      totalKgS,
      meterKgS: flowKgS,
      dropPa: Float64Array.from(network.circuitNode, (node) => HEAD_PA - (path[node] ?? 0)),
    },
    atDesign: (sum(designKgS) / totalKgS) ** 2,
  }
}
const records = assumeRecords(station)
const temperatures = {
  supplyC: filled(COUNT, 48),
  returnC: filled(COUNT, 40),
  roomC: filled(COUNT, 20),
  outdoorC: -5,
}

test.each([5_000, 30_000, 80_000])('pressures at consumers identify a loss of %d Pa', (dropPa) => {
  const found = estimateStationDrop(records, see(dropPa).readings)
  expect(found.source).toBe('pressures')
  expect(Math.abs(found.dropPa - dropPa)).toBeLessThan(1_500)
  // One consumer near the station is enough, and none is needed at the others.
  const { readings } = see(dropPa)
  const few = { ...readings, dropPa: readings.dropPa.map((value, i) => (i === 0 ? value : Number.NaN)) }
  expect(Math.abs(estimateStationDrop(records, few).dropPa - dropPa)).toBeLessThan(3_500)
})

test('a common error of the mains is not taken for the loss of the station, nor is a broken gauge', () => {
  const { readings } = see(50_000)
  const own = HEAD_PA - (readings.dropPa[0] ?? 0)
  // Mains that lose a third more than recorded.
  const worse = readings.dropPa.map((shown) => shown - (HEAD_PA - shown - own) / 3)
  expect(Math.abs(estimateStationDrop(records, { ...readings, dropPa: worse }).dropPa - 50_000)).toBeLessThan(
    4_000,
  )
  const broken = readings.dropPa.with(2, 5_000)
  expect(
    Math.abs(estimateStationDrop(records, { ...readings, dropPa: broken }).dropPa - 50_000),
  ).toBeLessThan(2_500)
})

test('without pressures and the power of the pump the loss is assumed, with its uncertainty', () => {
  const { readings } = see(50_000)
  const assumed = { dropPa: 50_000, sigma: 0.4, source: 'assumed' }
  expect(estimateStationDrop(records, { ...readings, dropPa: undefined })).toEqual(assumed)
  expect(estimateStationDrop(records, { ...readings, headPa: Number.NaN })).toEqual(assumed)
})

test('a pump that takes much more power than the measured head has its exchanger outside of the taps', () => {
  const { readings, atDesign } = see(50_000)
  const powerFor = (headPa: number) => (headPa * readings.totalKgS) / WARM_WATER.densityKgM3 / 0.62
  const findFor = (pumpW: number) => estimateStationDrop(records, { ...readings, dropPa: undefined, pumpW })
  const between = findFor(powerFor(HEAD_PA))
  const outside = findFor(powerFor(HEAD_PA + 50_000 / atDesign))
  expect([between.source, outside.source]).toEqual(['pump', 'pump'])
  expect(between.dropPa).toBeGreaterThan(30_000)
  expect(outside.dropPa).toBeLessThan(20_000)
  expect(outside.sigma).toBeGreaterThan(between.sigma)
  // Power for ten heads is not that of this pump, and less than the head takes is no measurement.
  for (const headPa of [10 * HEAD_PA, 0.5 * HEAD_PA]) expect(findFor(powerFor(headPa)).source).toBe('assumed')
})

test('a loop keeps its loss until a better source, or a difference beyond both errors', () => {
  const by = (source: 'pressures' | 'pump' | 'assumed', dropPa: number, sigma = 0.1) => ({
    source,
    dropPa,
    sigma,
  })
  const earlier = by('pressures', 41_000)
  for (const now of [by('pressures', 45_000), by('pump', 5_000), by('assumed', 50_000, 0.4)])
    expect(chooseStationDrop(earlier, now)).toBe(earlier)
  const other = by('pressures', 60_000)
  expect(chooseStationDrop(earlier, other)).toBe(other)
  expect(chooseStationDrop(by('pump', 20_000, 0.9), earlier)).toBe(earlier)
  expect(chooseStationDrop(by('assumed', 50_000, 0.4), earlier)).toBe(earlier)
})

test('records take the identified loss and its uncertainty for the pipe of the station', () => {
  const { readings } = see(20_000)
  const estimates = estimateRecords(station, { ...readings, ...temperatures })
  const known = assumeRecords(station, {}, estimates)
  expect(estimates.station.source).toBe('pressures')
  expect(JSON.parse(JSON.stringify(estimates))).toEqual(estimates)
  const pipeFlow = sumFlows(known.loop.network, known.designKgS, new Float64Array(known.loop.pipes.length))
  const loss = pathLosses(known.loop.network, pipeFlow, new Float64Array(known.loop.pipes.length + 1))
  expect(Math.abs((loss[0] ?? 0) - 20_000)).toBeLessThan(1_500)
  expect(known.mainsSigma?.[0]).toBe(estimates.station.sigma)
  expect(known.assumed?.pressures).toBe(false)
  const blind = estimateRecords(station, { ...readings, ...temperatures, dropPa: undefined })
  expect(assumeRecords(station, {}, blind).assumed?.pressures).toBe(true)
})

test('pipes assumed for estimated areas are less certain, the more so the fewer consumers are behind them', () => {
  const { readings } = see(20_000)
  const unknown: AssumedStation = {
    areas: [{ buildings: Array.from({ length: COUNT }, () => ({ units: [{ areaM2: 0 }] })) }],
  }
  const known = assumeRecords(unknown, {}, estimateRecords(unknown, { ...readings, ...temperatures }))
  expect(new Set(known.areaSource)).toEqual(new Set(['heat']))
  const [, street = 0, , cellar = 0] = known.mainsSigma ?? []
  expect(street).toBeGreaterThan(0.4)
  expect(cellar).toBeGreaterThan(street)
  expect(
    assumeRecords(station, {}, estimateRecords(station, { ...readings, ...temperatures })).mainsSigma?.[1],
  ).toBe(0.4)
})

test('consumers without a meter share what is left of the flow of the station, by design', () => {
  const { readings } = see(50_000)
  const { designKgS } = records
  const isMetered = (i: number): boolean => i % 3 === 0
  const only = <Value>(_: Value, i: number): boolean => isMetered(i)
  const some = readings.meterKgS.map((flow, i) => (isMetered(i) ? flow : Number.NaN))
  const rest = readings.totalKgS - sum(readings.meterKgS.filter(only))
  const share = rest / (sum(designKgS) - sum(designKgS.filter(only)))
  const filledUp = some.map((flow, i) => (isMetered(i) ? flow : share * (designKgS[i] ?? 0)))
  const dropWith = (meterKgS: Float64Array): number => {
    const found = estimateStationDrop(records, { ...readings, meterKgS })
    expect(found.source).toBe('pressures')
    return found.dropPa
  }
  expect(dropWith(some)).toBeCloseTo(dropWith(filledUp), 3)
  // Meters that show more than the station leave nothing for the others, and a meter may show zero.
  const more = some.map((flow) => 9 * flow)
  expect(dropWith(more)).toBeCloseTo(dropWith(more.map((flow) => (flow > 0 ? flow : 0))), 3)
})

test('a loss takes at most 60 % of the head, and a station that stands still shows none', () => {
  const { readings, atDesign } = see(50_000)
  const dropPa = readings.dropPa.map((shown) => shown / 10)
  const found = estimateStationDrop(records, { ...readings, dropPa })
  expect(found.dropPa).toBeLessThanOrEqual(0.6 * HEAD_PA * atDesign)
  expect(found.dropPa).toBeGreaterThan(0.5 * HEAD_PA * atDesign)
  expect(found.sigma).toBeGreaterThanOrEqual(0.1)
  expect(found.sigma).toBeLessThanOrEqual(0.9)
  for (const still of [{ totalKgS: 0 }, { headPa: 0 }])
    expect(estimateStationDrop(records, { ...readings, ...still }).source).toBe('assumed')
})
