import { createRandom, sampleNormal } from '@isotherm/kernel/random'
import { expect, test } from 'vitest'
import { filled } from '../loop/sample-loop.testkit.ts'
import { createSampleStation } from '../plan/sample-station.testkit.ts'
import { type AreaFacts, estimateAreas } from './estimate-areas.ts'

const COUNT = 24
/** Facts as the sample station was designed: 35 W/m², 50/40 °C. */
const factsOf = (areaM2: ArrayLike<number>, change: Partial<AreaFacts> = {}): AreaFacts[] =>
  Array.from(areaM2, (area) => ({
    areaM2: area,
    exponent: 1.3,
    emitterM2: 35 / (10 / Math.log(30 / 20)) ** 1.3,
    flowM2: 35 / 41_870,
    ...change,
  }))
const blind = filled(COUNT, Number.NaN)
const hide = (values: Float64Array, from: number): Float64Array =>
  values.map((value, i) => (i < from ? value : 0))
/** Root mean square of ln of estimated by true areas, from a consumer on. */
const missOf = (areaM2: readonly number[], trueM2: Float64Array, from: number): number =>
  Math.sqrt(
    areaM2.slice(from).reduce((sum, area, i) => sum + Math.log(area / (trueM2[from + i] ?? 1)) ** 2, 0) /
      (areaM2.length - from),
  )
const SEEDS = [1, 2, 3, 4]

test('recorded areas are not changed, and are marked as recorded', () => {
  const found = estimateAreas(factsOf([500, 900, 1400]))
  expect(found).toEqual({
    areaM2: [500, 900, 1400],
    source: ['recorded', 'recorded', 'recorded'],
    sigma: [0, 0, 0],
  })
})

test('areas come from heat, against consumers of the station whose areas are recorded', () => {
  for (const seed of SEEDS) {
    const { records, openings, readAt } = createSampleStation(COUNT, seed)
    const found = estimateAreas(factsOf(hide(records.areaM2, 12)), readAt(openings))
    expect(found.source.slice(12)).toEqual(new Array(12).fill('heat'))
    expect(missOf(found.areaM2, records.areaM2, 12)).toBeLessThan(0.12)
    // The usual area of the others would be off by more.
    const usual = missOf(estimateAreas(factsOf(hide(records.areaM2, 12))).areaM2, records.areaM2, 12)
    expect(missOf(found.areaM2, records.areaM2, 12)).toBeLessThan(0.7 * usual)
    expect(Math.min(...found.sigma.slice(12))).toBeGreaterThanOrEqual(0.15)
  }
})

test('without any recorded area they come from heat and the usual design, and are wide', () => {
  for (const seed of SEEDS) {
    const { records, openings, readAt } = createSampleStation(COUNT, seed)
    const found = estimateAreas(factsOf(filled(COUNT, 0)), readAt(openings))
    expect(new Set(found.source)).toEqual(new Set(['heat']))
    expect(missOf(found.areaM2, records.areaM2, 0)).toBeLessThan(0.15)
    expect(Math.min(...found.sigma)).toBeGreaterThanOrEqual(0.3)
  }
})

test('a station without room sensors estimates areas nearly as well: heat of emitters and walls cancel the room', () => {
  for (const seed of SEEDS) {
    const { records, openings, readAt } = createSampleStation(COUNT, seed)
    const readings = { ...readAt(openings), roomC: blind }
    const found = estimateAreas(factsOf(hide(records.areaM2, 12)), readings)
    expect(missOf(found.areaM2, records.areaM2, 12)).toBeLessThan(0.15)
  }
})

test('a consumer without temperatures gets its area from its flow, with a wider error', () => {
  const { records, openings, readAt } = createSampleStation(COUNT, 1)
  const readings = readAt(openings)
  const returnC = readings.returnC.map((value, i) => (i < 23 ? value : Number.NaN))
  const { source, sigma, areaM2 } = estimateAreas(factsOf(hide(records.areaM2, 22)), { ...readings, returnC })
  expect(source.slice(21)).toEqual(['recorded', 'heat', 'flow'])
  expect(sigma[23]).toBeGreaterThan(sigma[22] ?? 1)
  const perM2 = Array.from(readings.meterKgS, (flow, i) => flow / (areaM2[i] ?? 1)).slice(0, 22)
  const middle = perM2.toSorted((one, other) => one - other)
  const [low = 0, high = 0] = [middle[10], middle[11]]
  expect((readings.meterKgS[23] ?? 0) / (areaM2[23] ?? 1)).toBeGreaterThan(0.95 * low)
  expect((readings.meterKgS[23] ?? 0) / (areaM2[23] ?? 1)).toBeLessThan(1.05 * high)
})

test('without meters areas are shares of what the station heats, by the Kvs of plates', () => {
  const { records, openings, readAt } = createSampleStation(COUNT, 2)
  const readings = { ...readAt(openings), meterKgS: blind }
  const equal = estimateAreas(factsOf(filled(COUNT, 0)), readings)
  expect(new Set(equal.source)).toEqual(new Set(['share']))
  expect(new Set(equal.areaM2).size).toBe(1)
  const truth = records.areaM2.reduce((sum, area) => sum + area, 0)
  expect((COUNT * (equal.areaM2[0] ?? 0)) / truth).toBeGreaterThan(0.85)
  expect((COUNT * (equal.areaM2[0] ?? 0)) / truth).toBeLessThan(1.15)
  const plates = factsOf(filled(COUNT, 0)).map((fact, i) => ({ ...fact, kvs: i < 12 ? 10 : 16 }))
  const { areaM2, sigma } = estimateAreas(plates, readings)
  expect((areaM2[20] ?? 0) / (areaM2[2] ?? 1)).toBeCloseTo(1.6, 9)
  expect(Math.min(...sigma)).toBeGreaterThanOrEqual(0.5)
})

test('with no reading at all each consumer has the usual area', () => {
  const nothing = {
    supplyC: blind,
    returnC: blind,
    meterKgS: blind,
    roomC: blind,
    outdoorC: 0,
    totalKgS: Number.NaN,
  }
  expect(new Set(estimateAreas(factsOf(filled(COUNT, 0)), nothing).areaM2)).toEqual(new Set([1000]))
})

test('the error of an estimate is no smaller than that of the same estimate for recorded areas', () => {
  const { records, openings, readAt } = createSampleStation(COUNT, 3)
  const random = createRandom(5)
  const wrong = records.areaM2.map((area, i) => (i < 12 ? area * Math.exp(sampleNormal(random, 0, 0.6)) : 0))
  const { sigma } = estimateAreas(factsOf(wrong), readAt(openings))
  expect(sigma[20]).toBeGreaterThan(0.3)
})

test('meters that show no flow have no influence on the estimated areas of the others', () => {
  const facts = Array.from({ length: 6 }, () => ({
    areaM2: 0,
    kvs: 16,
    exponent: 1.3,
    emitterM2: 0.6,
    flowM2: 0.001,
  }))
  const none = new Float64Array(6).fill(Number.NaN)
  const still = new Float64Array(6)
  const readings = {
    supplyC: none,
    returnC: none,
    roomC: none,
    outdoorC: Number.NaN,
    meterKgS: still,
    totalKgS: 0,
  }
  expect(estimateAreas(facts, readings).areaM2.every((area) => area > 0)).toBe(true)
  const few = estimateAreas(facts, { ...readings, meterKgS: still.with(0, 1).with(1, 1), totalKgS: 2 })
  expect(few.areaM2.every((area) => Math.abs(area - 1_000) < 1)).toBe(true)
})

/** Three consumers at 50/40 °C and −5 °C outside that differ in flow, kg/s, with the design of `factsOf`. */
const alike = (...meterKgS: readonly number[]) => ({
  supplyC: filled(3, 50),
  returnC: filled(3, 40),
  roomC: filled(3, Number.NaN),
  outdoorC: -5,
  meterKgS: Float64Array.from(meterKgS),
  totalKgS: meterKgS.reduce((sum, flow) => sum + flow, 0),
})

test('a worked example: twice the heat at equal temperatures is twice the area', () => {
  expect(estimateAreas(factsOf([1000, 0, 0]), alike(1, 2, 0.5))).toEqual({
    areaM2: [1000, expect.closeTo(2000, 6), expect.closeTo(500, 6)],
    source: ['recorded', 'heat', 'heat'],
    sigma: [0, 0.15, 0.15],
  })
  // As designed, 35 W/m² are 1/1,196 kg/(s·m²).
  const designed = estimateAreas(factsOf([0, 0, 0]), alike(1, 2, 0.5))
  expect(designed.areaM2).toEqual([1, 2, 0.5].map((flow) => expect.closeTo((41_870 * flow) / 35, 0)))
  expect(designed.sigma).toEqual([0.3, 0.3, 0.3])
})

test('a worked example: flows without temperatures, by recorded areas or as designed', () => {
  const cold = { ...alike(1, 2, 0.5), supplyC: filled(3, Number.NaN) }
  expect(estimateAreas(factsOf([1000, 0, 0]), cold)).toEqual({
    areaM2: [1000, expect.closeTo(2000, 6), expect.closeTo(500, 6)],
    source: ['recorded', 'flow', 'flow'],
    sigma: [0, 0.35, 0.35],
  })
  const designed = estimateAreas(factsOf([0, 0, 0]), cold)
  expect(designed.areaM2).toEqual([1, 2, 0.5].map((flow) => expect.closeTo((41_870 * flow) / 35, 6)))
  expect(designed.sigma).toEqual([0.45, 0.45, 0.45])
})

test('a worked example: plates without readings, by the recorded areas of others', () => {
  const facts = factsOf([1000, 0, 0]).map((fact, i) => ({ ...fact, kvs: [10, 16, undefined][i] }))
  const { areaM2, source, sigma } = estimateAreas(facts)
  // A plate that is not known counts as the median of 13.
  expect(areaM2).toEqual([1000, expect.closeTo(1600, 6), expect.closeTo(1300, 6)])
  expect(source).toEqual(['recorded', 'share', 'share'])
  expect(sigma).toEqual([0, 0.5, 0.5])
})

test('the spread around recorded areas counts from three of them on', () => {
  const flows = [1, 3, 1] as const
  expect(estimateAreas(factsOf([1000, 1000, 0]), alike(...flows)).sigma[2]).toBe(0.15)
  const four = {
    ...alike(...flows),
    supplyC: filled(4, 50),
    returnC: filled(4, 40),
    roomC: filled(4, Number.NaN),
  }
  const meterKgS = Float64Array.of(1, 3, 2, 1)
  // Areas of 500, 1,500 and 1,000 m² beside 1,000 recorded ones: the middle one is off by ln 1.5.
  const { sigma } = estimateAreas(factsOf([1000, 1000, 1000, 0]), { ...four, meterKgS, totalKgS: 7 })
  expect(sigma[3]).toBeCloseTo(1.4826 * Math.log(1.5), 6)
})
