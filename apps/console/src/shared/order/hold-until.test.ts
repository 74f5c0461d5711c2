import { DAY_MS, HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { toLocalInput } from '../format/local-input.ts'
import { noHold, toHoldUntil } from './hold-until.ts'

const NOW = Date.UTC(2026, 0, 15, 8)

test('a command is held for a duration from now, until an instant, or not at all', () => {
  expect(toHoldUntil(noHold, NOW)).toBeUndefined()
  expect(toHoldUntil({ choice: '4h', until: '' }, NOW)).toBe(NOW + 4 * HOUR_MS)
  const until = toLocalInput(NOW + MINUTE_MS)
  expect(toHoldUntil({ choice: 'until', until }, NOW)).toBe(NOW + MINUTE_MS)
})

test('an instant in the past, more than a year away, or invalid is wrong', () => {
  for (const until of ['', 'x', toLocalInput(NOW - MINUTE_MS), toLocalInput(NOW + 400 * DAY_MS)]) {
    expect(toHoldUntil({ choice: 'until', until }, NOW)).toBe('wrong')
  }
})
