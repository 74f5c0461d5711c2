import { expect, test } from 'vitest'
import { createWeather } from '../plant/weather.ts'
import { toForecast } from './forecast-file.ts'

test('a forecast is the weather to come, an hour of the plant in a minute at sixty-fold speed', () => {
  const weather = createWeather({ kind: 'winter', snaps: [] }, 7)
  const nowMs = 1_764_000_000_000
  const { hourly } = toForecast({ weather, simTimeS: 86_400 }, { nowMs, timeFactor: 60 })
  expect(hourly.time.slice(0, 3)).toEqual([0, 60, 120].map((s) => nowMs / 1000 + s))
  expect(hourly.temperature_2m).toHaveLength(hourly.time.length)
  // 15:00 is the warmest hour of the second day.
  expect(hourly.temperature_2m[15]).toBeCloseTo(weather(86_400 + 15 * 3600).outdoorC, 1)
  expect(hourly.temperature_2m[15]).toBeGreaterThan((hourly.temperature_2m[3] ?? 0) + 5)
})
