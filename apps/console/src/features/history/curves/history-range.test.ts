import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { expect, onTestFinished, test, vi } from 'vitest'
import { findFixedRange, moveRange, parseRange, toLevel, toSpan, toYearBefore } from './history-range.ts'

test('a preset ends now and has the length of its name', () => {
  expect(toSpan(parseRange('6h'), 100_000_000)).toEqual({
    from: 100_000_000 - 6 * HOUR_MS,
    to: 100_000_000,
  })
})

test('a fixed range does not depend on now', () => {
  expect(toSpan(parseRange('1000000-2000000'), 9e12)).toEqual({ from: 1_000_000, to: 2_000_000 })
})

test('a range that is empty, reversed, too short or longer than five years is invalid', () => {
  expect(findFixedRange(5_000, 5_000)).toBeUndefined()
  expect(findFixedRange(9_000_000, 1_000_000)).toBeUndefined()
  expect(findFixedRange(0, 9_999)).toBeUndefined()
  expect(findFixedRange(0, 1_831 * DAY_MS)).toBeUndefined()
  expect(findFixedRange(0.4, 10_000.4)).toEqual({ kind: 'fixed', from: 0, to: 10_000 })
})

test('moving shifts by half the span, zooming is by two around the middle, never past now', () => {
  const range = { kind: 'fixed', from: 1_000_000, to: 2_000_000 } as const
  const now = 2_200_000
  expect(moveRange(range, 'earlier', now)).toMatchObject({ from: 500_000, to: 1_500_000 })
  expect(moveRange(range, 'in', now)).toMatchObject({ from: 1_250_000, to: 1_750_000 })
  expect(moveRange(range, 'later', now)).toMatchObject({ from: 1_200_000, to: 2_200_000 })
  expect(moveRange(range, 'out', now)).toMatchObject({ from: 200_000, to: 2_200_000 })
})

test('a range that cannot be zoomed further stays the same', () => {
  const range = { kind: 'fixed', from: 0, to: 15_000 } as const
  expect(moveRange(range, 'in', 9e9)).toBe(range)
})

test('a short range shows readings, a long one hours, a longer one days', () => {
  const days = (count: number) => ({ kind: 'fixed' as const, from: 0, to: count * DAY_MS })
  expect([days(3), days(4), days(62), days(63)].map(toLevel)).toEqual(['raw', 'hour', 'hour', 'day'])
  expect(toLevel(parseRange('7d'))).toBe('hour')
  expect(toLevel(parseRange('1y'))).toBe('day')
})

test('the year before begins on the same day and hour and has the same length', () => {
  const from = Date.UTC(2028, 10, 15)
  const to = Date.UTC(2029, 2, 15)
  // 2028 has a day more.
  expect(toYearBefore({ from, to }, 'Asia/Shanghai')).toEqual({
    from: Date.UTC(2027, 10, 15),
    to: Date.UTC(2027, 10, 15) + to - from,
    days: 366,
  })
})

test('the year before has the days of the plant, where the reader changes the clocks on another date each year', () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  onTestFinished(() => void vi.unstubAllEnvs())
  // Midnight in China on 30 March: in Berlin summer time in 2026, winter time in 2025.
  const from = Date.UTC(2026, 2, 29, 16)
  expect(toYearBefore({ from, to: from + DAY_MS }, 'Asia/Shanghai').from).toBe(Date.UTC(2025, 2, 29, 16))
})
