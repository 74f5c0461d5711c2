import { expect, test } from 'vitest'
import { toLocalInput } from '../format/local-input.ts'
import { noHold, toHoldUntil } from './hold-until.ts'

const NOW = Date.UTC(2026, 0, 15, 8)

test('an order is held for a span from now, until an instant, or not at all', () => {
  expect(toHoldUntil(noHold, NOW)).toBeUndefined()
  expect(toHoldUntil({ choice: '4h', until: '' }, NOW)).toBe(NOW + 4 * 3_600_000)
  const until = toLocalInput(NOW + 60_000)
  expect(toHoldUntil({ choice: 'until', until }, NOW)).toBe(NOW + 60_000)
})

test('an instant that is past, more than a year off or none is wrong', () => {
  for (const until of ['', 'x', toLocalInput(NOW - 60_000), toLocalInput(NOW + 400 * 86_400_000)]) {
    expect(toHoldUntil({ choice: 'until', until }, NOW)).toBe('wrong')
  }
})
