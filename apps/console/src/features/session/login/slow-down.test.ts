import { expect, test } from 'vitest'
import { ApiError } from '../../../shared/api/api-error.ts'
import { findWaitUntil, toSecondsLeft } from './slow-down.ts'

test('a delayed login states the end of the delay, any other failure does not', () => {
  expect(findWaitUntil(new ApiError('session.slowed', 'slow', { retryAfterS: 8 }), 1_000)).toBe(9_000)
  expect(findWaitUntil(new ApiError('session.bad-credentials', 'no'), 1_000)).toBeUndefined()
  expect(findWaitUntil(new Error('other'), 1_000)).toBeUndefined()
})

test('the remaining seconds count down to zero and stay there', () => {
  expect(toSecondsLeft(9_000, 1_500)).toBe(8)
  expect(toSecondsLeft(9_000, 9_000)).toBe(0)
  expect(toSecondsLeft(9_000, 10_000)).toBe(0)
  expect(toSecondsLeft(undefined, 10_000)).toBe(0)
})
