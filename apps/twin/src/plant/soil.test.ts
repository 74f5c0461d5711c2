import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { WateringSpec } from '../scenarios/scenario.ts'
import { createSoil, lawnEvaporation, soilMoisture, stepSoil } from './soil.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const sky = { outdoorC: 20, sunWM2: 0, groundSunWM2: 0, humidityPct: 60, windMS: 2, rainMmH: 0 }
const place = { areaM2: 500, startMoisture: 0.25, hasProbe: true }
const watering: WateringSpec = { programs: [], places: [place, { ...place, startMoisture: 0.4 }] }

/** Water in the ground after a time, share of its volume, in steps of five minutes. */
function live(spec: WateringSpec, seconds: number, m3H: number, weather = sky): readonly number[] {
  const soil = createSoil(spec)
  for (let at = 0; at < seconds; at += 300) stepSoil(soil, spec, () => m3H, weather, 300)
  return spec.places.map((_, unit) => soilMoisture(soil, unit))
}

it('evaporates 4.8 mm on a day at 20 °C, and nothing in hard frost', () => {
  expect(lawnEvaporation(20)).toBeCloseTo(4.816, 9)
  expect(lawnEvaporation(-20)).toBe(0)
})

it('dries by the evaporation of the lawn: 4.8 mm of 300 mm in a day', () => {
  const [moisture = 0] = live(watering, DAY, 0)
  expect(0.25 - moisture).toBeCloseTo(4.816 / 300, 6)
})

it('gets wetter by sprinklers and rain: 5 m³/h on 500 m² are 10 mm in an hour', () => {
  const dry = live(watering, HOUR, 0)[0] ?? 0
  expect((live(watering, HOUR, 5)[0] ?? 0) - dry).toBeCloseTo(10 / 300, 6)
  expect((live(watering, HOUR, 0, { ...sky, rainMmH: 10 })[0] ?? 0) - dry).toBeCloseTo(10 / 300, 6)
})

it('drains to field capacity within days', () => {
  const cold = { ...sky, outdoorC: -20 }
  const [held = 0, wet = 0] = live(watering, DAY, 0, cold)
  expect(held).toBe(0.25)
  expect(wet - 0.3).toBeCloseTo(0.1 * Math.exp(-1), 6)
})

it('counts all rain, also rain that runs off', () => {
  const soil = createSoil(watering)
  for (let hour = 0; hour < 30; hour++) stepSoil(soil, watering, () => 0, { ...sky, rainMmH: 8 }, HOUR)
  expect(soil.rainedMm[0]).toBeCloseTo(240, 9)
  expect(soilMoisture(soil, 0)).toBeLessThanOrEqual(0.45)
})

it('stays between wilting point and saturation in any weather', () => {
  const anySky = fc.record({
    outdoorC: fc.double({ min: -30, max: 45, noNaN: true }),
    rainMmH: fc.double({ min: 0, max: 60, noNaN: true }),
    m3H: fc.double({ min: 0, max: 10, noNaN: true }),
  })
  fc.assert(
    fc.property(fc.array(anySky, { minLength: 1, maxLength: 30 }), (days) => {
      const soil = createSoil(watering)
      for (const { m3H, ...weather } of days) {
        for (let at = 0; at < DAY; at += 1800)
          stepSoil(soil, watering, () => m3H, { ...sky, ...weather }, 1800)
        for (const unit of [0, 1]) {
          expect(soilMoisture(soil, unit)).toBeGreaterThanOrEqual(0.12)
          expect(soilMoisture(soil, unit)).toBeLessThanOrEqual(0.45)
        }
      }
    }),
    { numRuns: 50 },
  )
})
