import { HOUR_MS } from '@isotherm/kernel/durations'
import { expect, it } from 'vitest'
import { findSettlingKind, isRested, toSettleMs, windowStart, windowUntil } from './loop-window.ts'

it.each([
  ['a field that reports every quarter of an hour', 1, 900, 2 * HOUR_MS],
  ['one that lives an hour in a minute', 60, 5, 120_000],
  ['valves that report hourly', 1, 3_600, 5 * HOUR_MS],
  ['valves that sleep for four hours', 1, 14_400, 20 * HOUR_MS],
  ['valves that sleep in fast time', 60, 600, 3_000_000],
])('lets a round of %s settle', (_, timeFactor, periodS, settleMs) => {
  expect(toSettleMs(timeFactor, periodS)).toBe(settleMs)
})

it('waits for the screeds of floors, and hardly longer than for meters if only these are judged', () => {
  expect(toSettleMs(1, 900, 'floors')).toBe(30 * HOUR_MS)
  expect(toSettleMs(60, 5, 'floors')).toBe(HOUR_MS / 2)
  expect(toSettleMs(1, 60, 'flows')).toBe(600_000)
})

it('waits for floors in temperature balances, and not in a slot of a timetable', () => {
  const [floors, radiators] = [new Set(['radiator', 'floor'] as const), new Set(['radiator'] as const)]
  expect(findSettlingKind('temperature', 'metered', floors)).toBe('floors')
  expect(findSettlingKind('temperature', 'temperature-only', radiators)).toBe('radiators')
  expect(findSettlingKind('sequence', 'temperature-only', floors)).toBe('radiators')
  expect(findSettlingKind('sequence', 'metered', floors)).toBe('flows')
})

it('covers four readings of every device, also while a settled round is awaited', () => {
  const to = 100 * HOUR_MS
  for (const timeFactor of [1, 60, 3_600]) {
    for (const periodS of [5, 300, 900, 3_600, 14_400]) {
      const window = windowUntil(to, timeFactor)
      expect(to - windowStart(window, periodS)).toBeGreaterThan(4_000 * periodS)
      expect(toSettleMs(timeFactor, periodS)).toBeGreaterThan(4_000 * periodS)
    }
  }
})

it('starts no earlier than the given limit', () => {
  expect(windowStart({ ...windowUntil(HOUR_MS, 1), notBefore: HOUR_MS - 1 }, 900)).toBe(HOUR_MS - 1)
})

it('takes a valve for settled an hour of plant time after its move', () => {
  const window = windowUntil(10 * HOUR_MS, 60)
  expect(isRested(window, 10 * HOUR_MS - 60_000)).toBe(true)
  expect(isRested(window, 10 * HOUR_MS - 59_000)).toBe(false)
})
