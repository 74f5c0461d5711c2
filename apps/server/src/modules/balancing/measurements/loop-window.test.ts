import { HOUR_MS } from '@isotherm/kernel/durations'
import { expect, it } from 'vitest'
import { findSettlesBy, isRested, toSettleMs, windowStart, windowUntil } from './loop-window.ts'

it.each([
  ['a field that reports every quarter of an hour', 1, 900, 2 * HOUR_MS],
  ['one that lives an hour in a minute', 60, 5, 120_000],
  ['valves that report hourly', 1, 3_600, 5 * HOUR_MS],
  ['valves that sleep for four hours', 1, 14_400, 20 * HOUR_MS],
  ['valves that sleep in fast time', 60, 600, 3_000_000],
])('lets a round of %s settle', (_, factor, periodS, settleMs) => {
  expect(toSettleMs(factor, periodS)).toBe(settleMs)
})

it('waits for the screeds of floors, and for hardly more than meters where these judge', () => {
  expect(toSettleMs(1, 900, 'floors')).toBe(30 * HOUR_MS)
  expect(toSettleMs(60, 5, 'floors')).toBe(HOUR_MS / 2)
  expect(toSettleMs(1, 60, 'flows')).toBe(600_000)
})

it('waits for floors where temperatures are balanced, and in no slot of a timetable, which would be over before', () => {
  const [floors, radiators] = [new Set(['radiator', 'floor'] as const), new Set(['radiator'] as const)]
  expect(findSettlesBy('temperature', 'metered', floors)).toBe('floors')
  expect(findSettlesBy('temperature', 'temperature-only', radiators)).toBe('radiators')
  expect(findSettlesBy('sequence', 'temperature-only', floors)).toBe('radiators')
  expect(findSettlesBy('sequence', 'metered', floors)).toBe('flows')
})

it('sees four readings of every device in its window, and again while a settled round is waited for', () => {
  const to = 100 * HOUR_MS
  for (const factor of [1, 60, 3_600]) {
    for (const periodS of [5, 300, 900, 3_600, 14_400]) {
      const window = windowUntil(to, factor)
      expect(to - windowStart(window, periodS)).toBeGreaterThan(4_000 * periodS)
      expect(toSettleMs(factor, periodS)).toBeGreaterThan(4_000 * periodS)
    }
  }
})

it('goes back to no instant before the one it is given', () => {
  expect(windowStart({ ...windowUntil(HOUR_MS, 1), notBefore: HOUR_MS - 1 }, 900)).toBe(HOUR_MS - 1)
})

it('takes a valve for rested an hour of the plant after it moved', () => {
  const window = windowUntil(10 * HOUR_MS, 60)
  expect(isRested(window, 10 * HOUR_MS - 60_000)).toBe(true)
  expect(isRested(window, 10 * HOUR_MS - 59_000)).toBe(false)
})
