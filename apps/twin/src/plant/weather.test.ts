import { expect, it } from 'vitest'
import { createWeather, internalGains } from './weather.ts'

const HOUR = 3600
const DAY = 24 * HOUR

it('is a cold winter around −5 °C', () => {
  const weather = createWeather(7)
  const hours = Array.from({ length: 24 * 60 }, (_, hour) => weather(hour * HOUR))
  const mean = hours.reduce((sum, value) => sum + value, 0) / hours.length
  expect(mean).toBeGreaterThan(-6)
  expect(mean).toBeLessThan(-4)
  expect(Math.min(...hours)).toBeGreaterThan(-15)
  expect(Math.max(...hours)).toBeLessThan(5)
})

it('is warmest in the afternoon and the same for the same seed', () => {
  const weather = createWeather(7)
  expect(weather(3 * DAY + 15 * HOUR)).toBeGreaterThan(weather(3 * DAY + 3 * HOUR) + 5)
  expect(weather(123_456)).toBe(createWeather(7)(123_456))
  expect(weather(123_456)).not.toBe(createWeather(8)(123_456))
})

it('brings sun at noon and people in the evening', () => {
  expect(internalGains(12 * HOUR)).toBeGreaterThan(internalGains(3 * HOUR))
  expect(internalGains(20 * HOUR)).toBeGreaterThan(internalGains(3 * HOUR))
})
