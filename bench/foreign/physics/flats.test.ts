import { createRandom } from '@isotherm/kernel/random'
import { expect, it } from 'vitest'
import { buildFlats } from '../plant/build-flats.ts'
import type { EmitterType } from './emitters.ts'
import { type Flats, type FlatTemps, startTemps, stepFlats } from './flats.ts'
import { WATER } from './water.ts'

const build = (emitter: EmitterType): Flats =>
  buildFlats(
    [{ emitter, plannedWM2: 40, trueWM2: 40, areasM2: Array.from({ length: 10 }, () => 90) }],
    createRandom(5),
  )

/** Heat in all masses above 0 °C, J. */
const heatIn = (flats: Flats, { airC, structureC, firstC, secondC }: FlatTemps): number =>
  flats.areaM2.reduce(
    (sum, _, f) =>
      sum +
      (flats.airJK[f] ?? 0) * (airC[f] ?? 0) +
      (flats.structureJK[f] ?? 0) * (structureC[f] ?? 0) +
      0.5 * (flats.emitterJK[f] ?? 0) * ((firstC[f] ?? 0) + (secondC[f] ?? 0)),
    0,
  )

it('closes the balance of energy within a thousandth', () => {
  const flats = build('radiator')
  const temps = startTemps(10, 20, 40)
  const returnC = new Float64Array(1)
  const [flowKgS, supplyC] = [Float64Array.of(0.8), Float64Array.of(48)]
  const before = heatIn(flats, temps)
  let [gained, turned] = [0, 0]
  for (let step = 0; step < 500; step++) {
    const [outdoorC, sunWM2] = [-5 + 5 * Math.sin(step / 20), Math.max(0, 200 * Math.sin(step / 23))]
    stepFlats(flats, temps, { stepS: 600, outdoorC, sunWM2, flowKgS, supplyC }, returnC)
    const waterW = 0.8 * WATER.heatJKgK * (48 - (returnC[0] ?? 0))
    const restW = flats.areaM2.reduce(
      (sum, _, f) =>
        sum +
        (flats.peopleW[f] ?? 0) +
        (flats.sunM2[f] ?? 0) * sunWM2 +
        (flats.airingWK[f] ?? 0) * (outdoorC - (temps.airC[f] ?? 0)) +
        (flats.wallWK[f] ?? 0) * (outdoorC - (temps.structureC[f] ?? 0)),
      0,
    )
    gained += 600 * (waterW + restW)
    turned += 600 * waterW
  }
  expect(Math.abs(heatIn(flats, temps) - before - gained)).toBeLessThan(0.001 * turned)
})

it('rests where a flat loses what it gets', () => {
  const flats = build('radiator')
  const temps = startTemps(10, 20, 40)
  const returnC = new Float64Array(1)
  const at = { outdoorC: -5, sunWM2: 0, flowKgS: Float64Array.of(0.8), supplyC: Float64Array.of(48) }
  for (let step = 0; step < 4000; step++) stepFlats(flats, temps, { stepS: 7200, ...at }, returnC)
  const lossW = flats.areaM2.reduce(
    (sum, _, f) =>
      sum +
      (flats.airingWK[f] ?? 0) * ((temps.airC[f] ?? 0) + 5) +
      (flats.wallWK[f] ?? 0) * ((temps.structureC[f] ?? 0) + 5) -
      (flats.peopleW[f] ?? 0),
    0,
  )
  expect((0.8 * WATER.heatJKgK * (48 - (returnC[0] ?? 0))) / lossW).toBeCloseTo(1, 3)
})

it('lags by the kind of its emitter', () => {
  /** Time until 63 % of the change of the return after a step of the supply, h. */
  const lagOf = (emitter: EmitterType): number => {
    const flats = build(emitter)
    const temps = startTemps(10, 20, 40)
    const returnC = new Float64Array(1)
    const run = (supply: number, steps: number) => {
      const seen: number[] = []
      for (let step = 0; step < steps; step++) {
        const at = {
          stepS: 600,
          outdoorC: 0,
          sunWM2: 0,
          flowKgS: Float64Array.of(0.75),
          supplyC: Float64Array.of(supply),
        }
        stepFlats(flats, temps, at, returnC)
        seen.push(returnC[0] ?? 0)
      }
      return seen
    }
    const start = run(42, 1500).at(-1) ?? 0
    const after = run(46, 300)
    const change = (after.at(-1) ?? 0) - start
    return (after.findIndex((value) => value - start > 0.63 * change) + 1) / 6
  }
  const [convector, radiator, floor] = [lagOf('convector'), lagOf('radiator'), lagOf('floor')]
  expect(convector).toBeLessThan(0.6)
  expect(radiator).toBeGreaterThan(0.3)
  expect(radiator).toBeLessThan(2)
  expect(floor).toBeGreaterThan(5)
  expect(floor).toBeLessThan(16)
})
