import { hargreaves, penmanMonteith, vapourPressure } from '@isotherm/irrigation/weather/evapotranspiration'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { toDemand, toForecastDays } from './demand.ts'

/** 6 July, the day of example 18 of FAO-56 (Brussels): day 187 of the year. */
const DAY = Date.UTC(2026, 6, 6) / DAY_MS
const span = { from: DAY, until: DAY + 3, latitudeDeg: 50.8 }
const temperatures = { minC: 12.3, maxC: 21.5 }
const brussels = { dayOfYear: 187, latitudeDeg: 50.8, ...temperatures }
const humidityPct = { min: 63, max: 84 }
/** Example 18: wind of 10 km/h at 10 m is 2.078 m/s at 2 m; 22.07 MJ/(m²·day) of radiation. */
const measured = { humidityPct, windMS: 2.078, solarMJ: 22.07 }

test('a day with humidity, wind and radiation is computed by Penman–Monteith: example 18 of FAO-56, 3.9 mm', () => {
  const demand = toDemand([{ day: DAY, ...temperatures, ...measured, rainMm: 1.5 }], [], span)
  expect(demand).toEqual({ days: 1, rainMm: 1.5, penmanDays: 1, etMm: expect.closeTo(3.88, 1) })
})

test('the altitude counts where it is stated, and the sea level where it is not', () => {
  const day = { day: DAY, ...temperatures, ...measured }
  const vapourKpa = vapourPressure(temperatures, humidityPct)
  const at = (altitudeM: number) =>
    penmanMonteith({ ...brussels, altitudeM, vapourKpa, windMS: 2.078, solarMJ: 22.07 })
  expect(toDemand([day], [], { ...span, altitudeM: 4_000 })?.etMm).toBeCloseTo(at(4_000), 9)
  expect(toDemand([day], [], span)?.etMm).toBeCloseTo(at(0), 9)
  expect(Math.abs(at(4_000) - at(0))).toBeGreaterThan(0.1)
})

test('a day with temperatures alone is computed by Hargreaves, and a day without is left out', () => {
  const demand = toDemand(
    [
      { day: DAY, ...temperatures },
      { day: DAY + 1, rainMm: 4 },
    ],
    [],
    span,
  )
  expect(demand).toEqual({ days: 1, rainMm: 0, penmanDays: 0, etMm: hargreaves(brussels) })
  expect(toDemand([{ day: DAY, rainMm: 4 }], [], span)).toBeUndefined()
})

test('the forecast source gives what no station measured, and no more', () => {
  const forecast = { day: DAY, minC: 0, maxC: 40, rainMm: 9, ...measured }
  const demand = toDemand([{ day: DAY, ...temperatures, rainMm: 1 }], [forecast], span)
  const vapourKpa = vapourPressure(temperatures, humidityPct)
  expect(demand).toEqual({
    days: 1,
    rainMm: 1,
    penmanDays: 1,
    etMm: penmanMonteith({ ...brussels, vapourKpa, windMS: 2.078, solarMJ: 22.07 }),
  })
  const both = toDemand([{ day: DAY, ...temperatures }], [{ ...forecast, day: DAY + 1 }], span)
  expect(both).toMatchObject({ days: 2, penmanDays: 1, rainMm: 9 })
  expect(toDemand([], [{ ...forecast, day: DAY + 3 }], span)).toBeUndefined()
})

test('what stations measured of a part of a day counts only without a forecast', () => {
  const part = { minC: 12.3, maxC: 14, rainMm: 0 }
  const forecast = { day: DAY, ...temperatures, rainMm: 20 }
  expect(toDemand([{ day: DAY, part }], [forecast], span)).toEqual(toDemand([], [forecast], span))
  expect(toDemand([{ day: DAY, part }], [{ day: DAY, rainMm: 20 }], span)).toMatchObject({
    days: 1,
    rainMm: 20,
  })
  expect(toDemand([{ day: DAY, part: { ...part, rainMm: 2 } }], [], span)).toMatchObject({
    days: 1,
    rainMm: 2,
  })
  expect(toDemand([{ day: DAY, part, rainMm: 3 }], [forecast], span)).toMatchObject({ rainMm: 3 })
})

test('rain and sun of the hour before midnight belong to the day that ends then', () => {
  const hours = Array.from({ length: 48 }, (_, hour) => ({
    at: DAY * DAY_MS + hour * HOUR_MS,
    outdoorC: 20,
    rainMm: hour === 0 ? 100 : hour === 24 ? 5 : 0,
    sunWM2: hour === 0 ? 9_000 : 100,
  }))
  const days = toForecastDays(hours, (ms) => Math.floor(ms / DAY_MS))
  // The hours of the last day end at 23:00.
  expect(days).toMatchObject([
    { day: DAY, rainMm: 5, solarMJ: expect.closeTo(8.64, 6) },
    { day: DAY + 1, rainMm: 0, solarMJ: expect.closeTo(8.64, 6) },
  ])
})

test('only whole days of a forecast count, and only columns without gaps', () => {
  const hours = Array.from({ length: 30 }, (_, hour) => ({
    at: DAY * DAY_MS + hour * HOUR_MS,
    outdoorC: hour,
    humidityPct: 50 + hour,
    windMS: 3.2,
    sunWM2: 250,
    ...(hour === 5 ? {} : { rainMm: 1 }),
  }))
  expect(toForecastDays(hours, (ms) => Math.floor(ms / DAY_MS))).toEqual([
    {
      day: DAY,
      minC: 0,
      maxC: 23,
      humidityPct: { min: 50, max: 73 },
      windMS: expect.closeTo(2.4, 1),
      solarMJ: expect.closeTo(21.6, 6),
    },
  ])
})
