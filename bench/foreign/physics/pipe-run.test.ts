import { expect, it } from 'vitest'
import { heatInRun } from './heat-in-run.testkit.ts'
import { fillRun, GROUND_C, heatRunOf, pushThrough } from './pipe-run.ts'
import { WATER } from './water.ts'

const LASTING = { massKg: 1000, groundS: Number.POSITIVE_INFINITY }

it('passes a step of temperature on after the time of the water in the pipe', () => {
  const parcels = fillRun(LASTING, 40, 0)
  // 1000 kg at 0.5 kg/s: 2000 s, which is three and a third steps of 600 s.
  const out = [1, 2, 3, 4, 5].map((step) => pushThrough(LASTING, parcels, 300, 50, 600 * step))
  expect(out.slice(0, 3)).toEqual([40, 40, 40])
  // The fourth step pushes out the last 100 kg of old water and 200 kg of new water.
  expect(out[3]).toBeCloseTo(40 / 3 + (2 * 50) / 3, 9)
  expect(out[4]).toBe(50)
})

it('passes more water in a step than the pipe holds', () => {
  const parcels = fillRun(LASTING, 40, 0)
  expect(pushThrough(LASTING, parcels, 4000, 50, 600)).toBeCloseTo(47.5, 9)
})

it('cools exponentially towards the ground', () => {
  const run = { massKg: 1000, groundS: 10_000 }
  const parcels = fillRun(run, 50, 0)
  expect(pushThrough(run, parcels, 100, 50, 3600)).toBeCloseTo(
    GROUND_C + (50 - GROUND_C) * Math.exp(-0.36),
    9,
  )
})

it('retards fronts by the heat of the steel', () => {
  // DN 50: 53 mm inside, wall 3.5 mm. Water 2.1846 kg/m; steel 7850·490·π·0.0565·0.0035 = 2389.6 J/(m·K), as much as
  // 0.5717 kg of water: the front takes 1.262 times the time of the water.
  const { massKg, groundS } = heatRunOf(10, 0.053, 0.0035, 0.25)
  expect(massKg).toBeCloseTo(10 * (2.1846 + 0.5717), 1)
  expect(groundS).toBeCloseTo((massKg * WATER.heatJKgK) / 2.5, 6)
})

it('conserves heat', () => {
  const parcels = fillRun(LASTING, 40, 0)
  let balance = heatInRun(LASTING, parcels, 0)
  for (let step = 1; step <= 200; step++) {
    const [kg, inC] = [200 + 150 * Math.sin(step), 45 + 5 * Math.cos(step / 3)]
    const outC = pushThrough(LASTING, parcels, kg, inC, 600 * step)
    balance += WATER.heatJKgK * kg * (inC - outC)
  }
  expect(heatInRun(LASTING, parcels, 120_000) / balance).toBeCloseTo(1, 9)
})
