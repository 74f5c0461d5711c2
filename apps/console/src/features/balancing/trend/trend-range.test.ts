import { HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { toFirstRange } from './trend-range.ts'

const NOW = 100 * HOUR_MS
const hoursAgo = (...hours: readonly number[]) => hours.map((each) => ({ at: NOW - each * HOUR_MS }))

test('the first range is the shortest one that contains every reading', () => {
  expect(toFirstRange(hoursAgo(0.4, 0.1), { to: NOW })).toBe('1h')
  expect(toFirstRange(hoursAgo(1, 0.5), { to: NOW })).toBe('1h')
  expect(toFirstRange(hoursAgo(1.1, 0.5), { to: NOW })).toBe('6h')
  expect(toFirstRange(hoursAgo(23, 0), { to: NOW })).toBe('24h')
  expect(toFirstRange([], { to: NOW })).toBe('24h')
})
