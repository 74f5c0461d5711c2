import { createRandom } from '@isotherm/kernel/random'
import { expect, test } from 'vitest'
import { createLooseSampler, type LooseOrder } from './loose-sensors.ts'

const COUNT = 60
const SAMPLES = 200
const filled = (value: number): Float64Array => new Float64Array(COUNT).fill(value)

/** Sites of samples for a loop with a supply of 46 °C and returns of 37 °C. */
function drawSites(
  station: { readonly supplyC?: number; readonly returnC?: number },
  change: Partial<LooseOrder> & { readonly shownC?: Float64Array } = {},
): readonly Float64Array[] | undefined {
  const { shownC = filled(37), ...rest } = change
  const sampler = createLooseSampler({
    readings: {
      supplyC: filled(46),
      returnC: shownC,
      stationSupplyC: station.supplyC,
      stationReturnC: station.returnC,
    },
    flowKgS: filled(0.5),
    flows: 'metered',
    random: createRandom(1),
    count: SAMPLES,
    ...rest,
  })
  return sampler && Array.from({ length: SAMPLES }, (_, index) => sampler(index))
}
const isLoose = (site: Float64Array): boolean => site.some((biasK) => biasK > 0)
const shareOf = (sites: readonly Float64Array[] = []): number => sites.filter(isLoose).length / sites.length
const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

test('without the temperatures of the station nothing shows loose thermometers, and none is drawn', () => {
  expect(drawSites({})).toBeUndefined()
  expect(drawSites({ supplyC: 46 })).toBeUndefined()
  expect(drawSites({ supplyC: 46, returnC: Number.NaN })).toBeUndefined()
  expect(drawSites({ supplyC: 46, returnC: 37 }, { shownC: filled(Number.NaN) })).toBeUndefined()
})

test('worked example: if water arrives 0.5 K warmer than it leaves, such sites are four times as likely as before, and lack 0.3 to 0.5 K', () => {
  const sites = drawSites({ supplyC: 46, returnC: 37.5 }) ?? []
  expect(shareOf(sites)).toBeGreaterThan(0.3)
  expect(shareOf(sites)).toBeLessThan(0.5)
  const loose = sites.filter(isLoose)
  // 0.5 K, of which a by-pass of 1 % explains 0.09 K.
  const meanK = meanOf(loose.map((site) => meanOf([...site])))
  expect(meanK).toBeGreaterThan(0.3)
  expect(meanK).toBeLessThan(0.5)
  const biases = loose.flatMap((site) => [...site].filter((biasK) => biasK > 0))
  expect(Math.min(...biases)).toBeCloseTo((0.05 / 0.95) * 22, 9)
  expect(Math.max(...biases)).toBeCloseTo((0.15 / 0.85) * 22, 9)
  expect(shareOf(drawSites({ supplyC: 46, returnC: 37.7 }))).toBeGreaterThan(0.7)
})

test('if it arrives as warm as it leaves, or a by-pass warmer, hardly any is drawn', () => {
  expect(shareOf(drawSites({ supplyC: 46, returnC: 37 }))).toBeLessThan(0.08)
  expect(shareOf(drawSites({ supplyC: 46, returnC: 37.09 }))).toBeLessThan(0.1)
})

test('what supply pipes lose, return pipes lose too', () => {
  const lossless = shareOf(drawSites({ supplyC: 46, returnC: 37.1 }))
  // 0.5 K on the way to the consumers are 0.39 K on the return.
  const losing = shareOf(drawSites({ supplyC: 46.5, returnC: 37.1 }))
  expect(losing).toBeGreaterThan(lossless + 0.3)
  expect(shareOf(drawSites({ supplyC: 46.5, returnC: 36.7 }))).toBeLessThan(0.1)
})

test('a station whose own thermometer is far off shows nothing: the prior is left', () => {
  for (const returnC of [33, 41]) expect(shareOf(drawSites({ supplyC: 46, returnC }))).toBeLessThan(0.5)
})

test('unequal returns say less where flows come from temperatures', () => {
  const shownC = Float64Array.from({ length: COUNT }, (_, i) => (i % 2 === 0 ? 35 : 39))
  const station = { supplyC: 46, returnC: 37.5 }
  const metered = shareOf(drawSites(station, { shownC }))
  expect(shareOf(drawSites(station, { shownC, flows: 'temperature-only' }))).toBeLessThan(metered - 0.1)
})

test('consumers that report nothing may be as unequal as before a balance, and those with more flow are warmer', () => {
  const shownC = filled(37).map((value, i) => (i % 5 === 0 ? Number.NaN : value))
  const whole = shareOf(drawSites({ supplyC: 46, returnC: 37.4 }))
  expect(whole).toBeGreaterThan(0.2)
  expect(shareOf(drawSites({ supplyC: 46, returnC: 37.4 }, { shownC }))).toBeLessThan(0.7 * whole)
})

test('one silent consumer with much of the flow leaves more open than many with as much together', () => {
  // A fifth of the flow has no return, in one consumer or in twelve.
  const station = { supplyC: 46, returnC: 37.7 }
  const silent = (count: number) =>
    drawSites(station, {
      shownC: filled(37).map((value, i) => (i < count ? Number.NaN : value)),
      flowKgS: filled(0.5).map((flow, i) => (i < count ? 0.25 * ((COUNT - count) / count) * flow : flow)),
    })
  expect(shareOf(silent(1))).toBeLessThan(0.7 * shareOf(silent(12)))
})

test('a consumer without a return has no bias, and no return rises to its supply', () => {
  const shownC = filled(37).map((value, i) => (i < 20 ? Number.NaN : i < 40 ? 45 : value))
  const sites = drawSites({ supplyC: 46, returnC: 41 }, { shownC }) ?? []
  expect(sites.some(isLoose)).toBe(true)
  for (const site of sites)
    for (const [i, biasK] of site.entries()) expect(biasK).toBeLessThan(i < 20 ? 1e-9 : i < 40 ? 0.81 : 5)
})

test('the same random numbers give the same sites', () => {
  const station = { supplyC: 46, returnC: 37.5 }
  expect(drawSites(station)).toEqual(drawSites(station))
})
