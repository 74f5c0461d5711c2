import { expect, it } from 'vitest'
import type { WeatherSpec } from '../scenarios/weather-spec.ts'
import { peopleGain } from './occupants.ts'
import { createWeather, type Sky, southWallShare } from './weather.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const winter: WeatherSpec = { kind: 'winter', snaps: [] }
const outdoorOf = (spec: WeatherSpec, seed: number) => {
  const weather = createWeather(spec, seed)
  return (atS: number) => weather(atS).outdoorC
}

it('is a cold winter around −5 °C', () => {
  const weather = outdoorOf(winter, 7)
  const hours = Array.from({ length: 24 * 60 }, (_, hour) => weather(hour * HOUR))
  const mean = hours.reduce((sum, value) => sum + value, 0) / hours.length
  expect(mean).toBeGreaterThan(-6)
  expect(mean).toBeLessThan(-4)
  expect(Math.min(...hours)).toBeGreaterThan(-15)
  expect(Math.max(...hours)).toBeLessThan(5)
})

it('is warmest in the afternoon and the same for the same seed', () => {
  const weather = outdoorOf(winter, 7)
  expect(weather(3 * DAY + 15 * HOUR)).toBeGreaterThan(weather(3 * DAY + 3 * HOUR) + 5)
  expect(weather(123_456)).toBe(outdoorOf(winter, 7)(123_456))
  expect(weather(123_456)).not.toBe(outdoorOf(winter, 8)(123_456))
})

it('brings sun at noon and people in the evening', () => {
  const weather = createWeather(winter, 7)
  expect(weather(12 * HOUR).sunWM2).toBeGreaterThan(weather(3 * HOUR).sunWM2)
  expect(peopleGain(20 * HOUR)).toBeGreaterThan(peopleGain(3 * HOUR))
})

it('generates a year of a northern city: cold January, hot July, no sun at night', () => {
  const weather = createWeather({ kind: 'year', startDay: 0, snaps: [] }, 11)
  const mean = (fromDay: number, days: number, of: Exclude<keyof Sky, 'rainMmH'>) => {
    const hours = Array.from({ length: days * 24 }, (_, hour) => weather((fromDay * 24 + hour) * HOUR)[of])
    return hours.reduce((sum, value) => sum + value, 0) / hours.length
  }
  expect(mean(0, 31, 'outdoorC')).toBeGreaterThan(-9)
  expect(mean(0, 31, 'outdoorC')).toBeLessThan(1)
  expect(mean(181, 31, 'outdoorC')).toBeGreaterThan(20)
  expect(mean(0, 365, 'outdoorC')).toBeGreaterThan(8)
  expect(mean(0, 365, 'outdoorC')).toBeLessThan(12)
  expect(mean(0, 365, 'windMS')).toBeGreaterThan(1)
  // Sums of radiation at 38° north, MJ/(m²·day): a winter and a summer month under usual clouds (FAO-56, annex 2 with equation 35).
  expect(mean(0, 31, 'groundSunWM2') * 0.0864).toBeGreaterThan(5)
  expect(mean(0, 31, 'groundSunWM2') * 0.0864).toBeLessThan(11)
  expect(mean(151, 31, 'groundSunWM2') * 0.0864).toBeGreaterThan(17)
  expect(mean(151, 31, 'groundSunWM2') * 0.0864).toBeLessThan(28)
  expect(mean(0, 365, 'humidityPct')).toBeGreaterThan(40)
  expect(mean(0, 365, 'humidityPct')).toBeLessThan(80)
  for (let day = 0; day < 365; day += 7) {
    expect(weather(day * DAY).groundSunWM2).toBe(0)
    expect(weather(day * DAY).sunWM2).toBe(0)
    expect(weather(day * DAY + 12 * HOUR).sunWM2).toBeGreaterThan(0)
    expect(weather(day * DAY + 12 * HOUR).sunWM2).toBeLessThan(800)
  }
})

it('rains some hundreds of millimetres a year, mostly in summer and only under thick clouds', () => {
  for (const seed of [1, 11, 20_261_121]) {
    const weather = createWeather({ kind: 'year', startDay: 0, snaps: [] }, seed)
    const hours = Array.from({ length: 365 * 24 }, (_, hour) => weather(hour * HOUR).rainMmH)
    const sum = (from: number, until: number) =>
      hours.slice(from * 24, until * 24).reduce((total, rain) => total + rain, 0)
    expect(sum(0, 365)).toBeGreaterThan(250)
    expect(sum(0, 365)).toBeLessThan(900)
    expect(sum(151, 273) / sum(0, 365)).toBeGreaterThan(0.6)
    expect(sum(0, 59)).toBeLessThan(10)
    expect(hours.filter((rain) => rain > 0).length).toBeLessThan(1000)
  }
})

it('interpolates measured hours linearly, starts at the start day, and repeats after the last hour', () => {
  const outdoorC = Array.from({ length: 48 }, (_, hour) => hour)
  const weather = outdoorOf({ kind: 'hourly', startDay: 1, outdoorC, snaps: [] }, 1)
  expect(weather(0)).toBe(24)
  expect(weather(1.5 * HOUR)).toBe(25.5)
  expect(weather(23 * HOUR)).toBe(47)
  expect(weather(24 * HOUR)).toBe(0)
})

it('is colder only on the days of a cold snap', () => {
  const spell = { fromS: 3 * DAY, untilS: 7 * DAY, dropK: 12 }
  const [cold, usual] = [outdoorOf({ ...winter, snaps: [spell] }, 7), outdoorOf(winter, 7)]
  const dropAt = (days: number) => usual(days * DAY) - cold(days * DAY)
  expect(dropAt(5)).toBeCloseTo(12, 3)
  expect(dropAt(3)).toBeCloseTo(6, 3)
  expect(dropAt(1)).toBeCloseTo(0, 3)
  expect(dropAt(9)).toBeCloseTo(0, 3)
})

it('puts the sun 28.55° high at noon of 21 December at 38° north: share on a south wall cos 28.55° = 0.8784', () => {
  // Day 355 counted from 1: Cooper's declination is −23.45°, so the noon height is 90 − 38 − 23.45 = 28.55°.
  expect(southWallShare(354, 12)).toBeCloseTo(0.8784, 3)
  expect(southWallShare(354, 20)).toBe(0)
  // At noon of 21 June the sun is 75.45° high, so the share is cos 75.45° = 0.2512.
  expect(southWallShare(171, 12)).toBeCloseTo(0.2512, 3)
})
