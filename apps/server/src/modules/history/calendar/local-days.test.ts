import { HOUR_MS } from '@isotherm/kernel/durations'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLocalDays } from './local-days.ts'

test('a day in China starts at 16:00 UTC of the day before', () => {
  const days = createLocalDays('Asia/Shanghai')
  const midnight = Date.UTC(2026, 10, 20, 16)
  expect(days.startOfDay(midnight)).toBe(midnight)
  expect(days.startOfDay(midnight - 1)).toBe(Date.UTC(2026, 10, 19, 16))
  expect(days.startOfNextDay(midnight + 5)).toBe(Date.UTC(2026, 10, 21, 16))
  expect([days.toDate(midnight), days.toDate(midnight - 1)]).toEqual(['2026-11-21', '2026-11-20'])
})

test('a day on which clocks change has 23 or 25 hours', () => {
  const days = createLocalDays('Europe/Berlin')
  const lengthOf = (noon: number) => (days.startOfNextDay(noon) - days.startOfDay(noon)) / HOUR_MS
  expect(lengthOf(Date.UTC(2026, 2, 29, 12))).toBe(23)
  expect(lengthOf(Date.UTC(2026, 9, 25, 12))).toBe(25)
  expect(lengthOf(Date.UTC(2026, 6, 1, 12))).toBe(24)
})

test('every instant is inside its day, and there are no gaps between days', () => {
  const zones = ['Asia/Shanghai', 'Europe/Berlin', 'UTC', 'America/New_York', 'Asia/Kolkata']
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2040, 0) }),
      (zone, ms) => {
        const days = createLocalDays(zone)
        const [start, next] = [days.startOfDay(ms), days.startOfNextDay(ms)]
        expect(start).toBeLessThanOrEqual(ms)
        expect(next).toBeGreaterThan(ms)
        expect(days.startOfDay(next)).toBe(next)
        expect(days.startOfDay(next - 1)).toBe(start)
      },
    ),
  )
})
