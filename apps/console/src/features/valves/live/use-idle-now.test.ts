import { expect, test } from 'vitest'
import { holdWhileMoving } from './use-idle-now.ts'

test('an instant goes on at rest, and stays while the page moves', () => {
  expect(holdWhileMoving(2_000, 4_000, false)).toBe(4_000)
  expect(holdWhileMoving(2_000, 4_000, true)).toBe(2_000)
})

test('what is shown is made anew after ten seconds also for somebody who does not stop', () => {
  expect(holdWhileMoving(2_000, 11_999, true)).toBe(2_000)
  expect(holdWhileMoving(2_000, 12_000, true)).toBe(12_000)
})

test('a clock that was set back is not held', () => {
  expect(holdWhileMoving(20_000, 4_000, false)).toBe(4_000)
})
