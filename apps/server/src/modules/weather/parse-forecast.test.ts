import { expect, test } from 'vitest'
import { ForecastError, parseForecast } from './parse-forecast.ts'

const hourly = (time: readonly (string | number)[], temperatures: readonly (number | null)[]) => ({
  time,
  temperature_2m: temperatures,
})

test('local times are shifted by the offset of the answer, and hours without a value are left out', () => {
  const times = ['2026-01-10T00:00', '2026-01-10T01:00', '2026-01-10T02:00']
  const json = { utc_offset_seconds: 28_800, hourly: hourly(times, [-4.5, null, -6]) }
  expect(parseForecast(json)).toEqual([
    { at: Date.UTC(2026, 0, 9, 16), outdoorC: -4.5 },
    { at: Date.UTC(2026, 0, 9, 18), outdoorC: -6 },
  ])
})

test('times in seconds are in UTC and ignore the offset', () => {
  const json = { utc_offset_seconds: 28_800, hourly: hourly([1_767_974_400], [1]) }
  expect(parseForecast(json)).toEqual([{ at: 1_767_974_400_000, outdoorC: 1 }])
})

test('degrees Fahrenheit become degrees Celsius', () => {
  const json = { hourly_units: { temperature_2m: '°F' }, hourly: hourly([0, 3600], [32, 14]) }
  expect(parseForecast(json).map(({ outdoorC }) => outdoorC)).toEqual([0, -10])
})

test('humidity, wind, radiation and rain are read where the source gives them, in its units', () => {
  const columns = {
    relative_humidity_2m: [80, null],
    wind_speed_10m: [36, 18],
    shortwave_radiation: [0, 250],
    precipitation: [0.1, 0],
  }
  const json = {
    hourly_units: { precipitation: 'inch' },
    hourly: { ...hourly([0, 3600], [5, 6]), ...columns },
  }
  expect(parseForecast(json)).toEqual([
    { at: 0, outdoorC: 5, humidityPct: 80, windMS: 10, sunWM2: 0, rainMm: expect.closeTo(2.54, 6) },
    { at: 3_600_000, outdoorC: 6, windMS: 5, sunWM2: 250, rainMm: 0 },
  ])
})

test.each([
  [
    'another unit of wind',
    { hourly_units: { wind_speed_10m: 'Bft' }, hourly: { ...hourly([0], [1]), wind_speed_10m: [3] } },
    /"Bft"/,
  ],
  ['a refusal with its reason', { error: true, reason: 'Latitude must be in range' }, /Latitude must be/],
  ['another unit', { hourly_units: { temperature_2m: 'K' }, hourly: hourly([0], [270]) }, /"K"/],
  ['columns of different length', { hourly: hourly([0, 3600], [1]) }, /differ in number/],
  ['a time that is none', { hourly: hourly(['tomorrow'], [1]) }, /"tomorrow"/],
  [
    'a time with an offset of its own',
    { hourly: hourly(['2026-01-10T00:00+08:00'], [1]) },
    /not a local time/,
  ],
  ['something else', [{ hourly: hourly([0], [1]) }], /expected object/],
  ['nothing', null, /expected object/],
])('%s is refused', (_, json, reason) => {
  expect(() => parseForecast(json)).toThrow(ForecastError)
  expect(() => parseForecast(json)).toThrow(reason)
})
