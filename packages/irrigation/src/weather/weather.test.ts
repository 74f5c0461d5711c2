import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { describe, expect, it } from 'vitest'
import {
  extraterrestrialRadiation,
  hargreaves,
  penmanMonteith,
  referenceEvapotranspiration,
  saturationPressure,
  vapourPressure,
  windAt2m,
} from './evapotranspiration.ts'
import { computeSunTimes } from './sun.ts'

describe('worked examples of FAO-56', () => {
  it('example 8: extraterrestrial radiation at 20° south on 3 September', () => {
    expect(extraterrestrialRadiation(246, -20)).toBeCloseTo(32.2, 1)
  })

  it('example 3: saturation vapour pressure at 24.5 °C and 15 °C', () => {
    expect(saturationPressure(24.5)).toBeCloseTo(3.075, 2)
    expect(saturationPressure(15)).toBeCloseTo(1.705, 2)
  })

  it('example 5: vapour pressure by 18 °C at 82 % and 25 °C at 54 %', () => {
    expect(vapourPressure({ minC: 18, maxC: 25 }, { min: 54, max: 82 })).toBeCloseTo(1.7, 2)
  })

  it('example 14: 3.2 m/s at 10 m are 2.4 m/s at 2 m', () => {
    expect(windAt2m(3.2, 10)).toBeCloseTo(2.4, 1)
  })

  it('example 17: Penman–Monteith in Bangkok in April, with the heat into the ground of a month', () => {
    const day = { dayOfYear: 105, latitudeDeg: 13.73, altitudeM: 2, minC: 25.6, maxC: 34.8 }
    const measured = { ...day, vapourKpa: 2.85, windMS: 2, sunshineH: 8.5, soilHeatMJ: 0.14 }
    expect(penmanMonteith(measured)).toBeCloseTo(5.72, 2)
  })

  it('example 18: Penman–Monteith in Brussels on 6 July', () => {
    const day = { dayOfYear: 187, latitudeDeg: 50.8, altitudeM: 100, minC: 12.3, maxC: 21.5 }
    const measured = { ...day, vapourKpa: 1.409, windMS: 2.078, sunshineH: 9.25 }
    expect(penmanMonteith(measured)).toBeCloseTo(3.88, 2)
    // The example computes 22.07 MJ/(m²·day) of short-wave radiation from the sunshine.
    expect(penmanMonteith({ ...measured, solarMJ: 22.07 })).toBeCloseTo(3.88, 1)
    expect(referenceEvapotranspiration(measured)).toBe(penmanMonteith(measured))
  })

  it('example 20: Lyon in July with nothing measured but temperatures, by both equations', () => {
    const day = { dayOfYear: 196, latitudeDeg: 45.72, altitudeM: 200, minC: 14.8, maxC: 26.6 }
    expect(penmanMonteith(day)).toBeCloseTo(5, 0)
    expect(hargreaves(day)).toBeCloseTo(5, 1)
    expect(referenceEvapotranspiration(day)).toBe(hargreaves(day))
  })
})

describe('sunrise and sunset', () => {
  const beijing = { latitude: 39.9042, longitude: 116.4074 }
  const day = Date.UTC(2026, 5, 21)

  it('agrees with the almanac for Beijing at midsummer: 4:46 and 19:46', () => {
    const times = computeSunTimes(day, 8 * HOUR_MS, beijing)
    const minutes = (at = 0) => (at + 8 * HOUR_MS - day) / MINUTE_MS
    expect(Math.abs(minutes(times?.sunrise) - (4 * 60 + 46))).toBeLessThan(2)
    expect(Math.abs(minutes(times?.sunset) - (19 * 60 + 46))).toBeLessThan(2)
  })

  it('has neither in the polar day', () => {
    expect(computeSunTimes(day, 2 * HOUR_MS, { latitude: 78, longitude: 15 })).toBeUndefined()
  })
})
