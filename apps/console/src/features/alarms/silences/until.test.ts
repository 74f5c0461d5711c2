import { DAY_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { isUntil, toUntil } from './until.ts'

const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime()

test('morning is the next eight o’clock that is at least an hour away', () => {
  expect(toUntil('morning', at(21, 2, 30))).toBe(at(21, 8))
  expect(toUntil('morning', at(21, 7, 30))).toBe(at(22, 8))
  expect(toUntil('morning', at(21, 20))).toBe(at(22, 8))
})

test('the other presets are a number of hours from now', () => {
  expect(toUntil('4h', at(21, 20))).toBe(at(22, 0))
  expect(toUntil('7d', at(21, 20))).toBe(at(28, 20))
})

test('a silence ends in the future and within 90 days', () => {
  const now = at(21, 20)
  expect([now, now + 1, now + 90 * DAY_MS, now + 90 * DAY_MS + 1].map((each) => isUntil(each, now))).toEqual([
    false,
    true,
    true,
    false,
  ])
  expect(isUntil(Number.NaN, now)).toBe(false)
})
