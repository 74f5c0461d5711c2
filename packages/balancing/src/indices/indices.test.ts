import { expect, test } from 'vitest'
import { type CampaignIndexName, indexMeanings } from './index-meanings.ts'
import { type BalanceSample, computeIndices, countByRatio, timeToBalance } from './indices.ts'

const NONE = Number.NaN
const four = (...values: number[]): Float64Array => Float64Array.from(values)

/** Four consumers; the last one has no return temperature. */
const sample: BalanceSample = {
  areaM2: four(1000, 1000, 2000, 1000),
  returnC: four(39, 41, 42, NONE),
  supplyC: four(50, 50, 52, 50),
  targetReturnC: four(40, 40, 42, 40),
  flowKgS: four(0.8, 1.2, 2, 1),
  requiredKgS: four(1, 1, 2, 1),
  heatW: four(30_000, 30_000, 60_000, 30_000),
  opening: four(1, 0.5, 0.1, 0.6),
  minOpening: 0.1,
  pathPa: four(90_000, 110_000, 100_000, NONE),
  loopPa: four(150_000, 180_000, 120_000, NONE),
  moves: four(2, 0, 1, 1),
  travel: four(0.3, 0, 0.1, 0),
  days: 2,
  isExcluded: Uint8Array.of(0, 0, 1, 0),
  roomC: four(17, 20, 23, NONE),
  outdoorC: -5,
  station: { headPa: 150_000, pumpW: 1000, supplyC: 50, returnC: 40 },
}

test('the spread of returns is weighted by area and relative to each consumer’s own target', () => {
  // Errors −1, +1, 0 with areas 1 : 1 : 2, so the mean is 0 and σ² = (1 + 1)/4.
  const indices = computeIndices(sample)
  expect(indices.sigmaReturnK).toBeCloseTo(Math.SQRT1_2, 12)
  expect(indices.withinOneK).toBe(1)
  expect(indices.withinHalfK).toBeCloseTo(1 / 3, 12)
  expect(indices.spreadReturnK).toBeCloseTo(1.8, 12)
})

test('the spread relative to the mean difference of supply and return is the same in mild weather', () => {
  // Differences 11, 9, 10 K with areas 1 : 1 : 2, so their mean is 10 K.
  expect(computeIndices(sample).sigmaReturnPerDrop).toBeCloseTo(Math.SQRT1_2 / 10, 12)
  const scaleTo = (toC: number, share: number, from: Float64Array) =>
    from.map((value) => toC + share * (value - toC))
  const half = (from: Float64Array) => scaleTo(30, 0.5, from)
  const mild = computeIndices({
    ...sample,
    returnC: half(sample.returnC),
    supplyC: half(sample.supplyC),
    targetReturnC: half(sample.targetReturnC),
  })
  expect(mild.sigmaReturnK).toBeCloseTo(Math.SQRT1_2 / 2, 12)
  expect(mild.sigmaReturnPerDrop).toBeCloseTo(Math.SQRT1_2 / 10, 12)
  const still = { ...sample, supplyC: sample.returnC }
  expect(computeIndices(still).sigmaReturnPerDrop).toBeUndefined()
})

test('an offset common to all returns is no imbalance', () => {
  const warmer = { ...sample, returnC: sample.returnC.map((value) => value + 3) }
  expect(computeIndices(warmer).sigmaReturnK).toBeCloseTo(computeIndices(sample).sigmaReturnK ?? NONE, 12)
})

test('hydraulic indices compare actual with required flow, independent of the total', () => {
  const indices = computeIndices(sample)
  expect(indices.minImbalance).toBe(0.8)
  expect(indices.maxImbalance).toBe(1.2)
  expect(indices.balanceDegreePass).toBe(0.75)
  const doubled = { ...sample, flowKgS: sample.flowKgS.map((value) => 2 * value) }
  expect(computeIndices(doubled).balanceDegreePass).toBe(0.75)
  expect(computeIndices(doubled).flowBalance).toBeCloseTo(indices.flowBalance ?? NONE, 12)
})

test('indices of comfort, energy and actuation use the known values only', () => {
  const indices = computeIndices(sample)
  expect(indices.under18).toBeCloseTo(1 / 3, 12)
  expect(indices.over22).toBeCloseTo(1 / 3, 12)
  expect(indices.over24).toBe(0)
  expect(indices.heatIntensityVariation).toBe(0)
  expect(indices.saturatedShare).toBe(0.5)
  expect(indices.notMeasuredShare).toBe(0.25)
  expect(indices.pumpMonthKWhM2).toBeCloseTo(0.146, 12)
  expect(indices.dropK).toBe(10)
  expect(indices.hydraulicStability).toBeCloseTo(Math.sqrt(1 / 3), 12)
  expect(indices.loopPressureDifference).toBeCloseTo(0.2, 12)
  expect(indices.heatWM2).toBeCloseTo(30, 12)
  expect(indices.heatWM2K).toBeCloseTo(30 / 25, 12)
  expect(indices.movesPerValveDay).toBe(0.5)
  expect(indices.movesPerValve).toBe(1)
  expect(computeIndices({ ...sample, days: 0 }).movesPerValveDay).toBeUndefined()
  expect(indices.travelPerValve).toBeCloseTo(0.1, 12)
  expect(indices.excludedShare).toBe(0.25)
})

test('an index without known inputs is undefined, never NaN', () => {
  const none = four(NONE, NONE)
  const empty: BalanceSample = {
    ...sample,
    areaM2: none,
    returnC: none,
    supplyC: none,
    targetReturnC: none,
    flowKgS: none,
    requiredKgS: none,
    heatW: none,
    opening: none,
    roomC: none,
    pathPa: none,
    loopPa: none,
    moves: none,
    travel: none,
    isExcluded: new Uint8Array(0),
  }
  const indices = computeIndices(empty)
  for (const value of Object.values(indices)) expect(value).not.toBeNaN()
  expect(indices.sigmaReturnK).toBeUndefined()
  expect(indices.under18).toBeUndefined()
})

test('every index has a formula and a unit, and nothing else has', () => {
  const ofCampaigns: readonly CampaignIndexName[] = ['hoursToBalance']
  const all = [...Object.keys(computeIndices(sample)), ...ofCampaigns]
  expect(all.sort()).toEqual(Object.keys(indexMeanings).sort())
})

test('ratios are counted between bounds', () => {
  expect(countByRatio([0.5, 0.9, 1, 1.3, NONE], [0.9, 1.2])).toEqual([1, 2, 1])
})

test('a spread is settled once it stays below its limit', () => {
  const at = (...sigmas: number[]) => sigmas.map((sigmaK, hour) => ({ atS: 3600 * hour, sigmaK }))
  expect(timeToBalance(at(1.2, 0.4, 0.6, 0.4, 0.3), 0.5)).toBe(3 * 3600)
  expect(timeToBalance(at(0.4, 0.4), 0.5)).toBe(0)
  expect(timeToBalance(at(1.2, 0.4, 0.6), 0.5)).toBeUndefined()
})
