import { expect, test } from 'vitest'
import { findFixedRange, parseRange, toSpan } from './history-range.ts'

test('a preset ends now and is as long as it says', () => {
  expect(toSpan(parseRange('6h'), 100_000_000)).toEqual({
    from: 100_000_000 - 6 * 3_600_000,
    to: 100_000_000,
  })
})

test('a fixed range stands still', () => {
  expect(toSpan(parseRange('1000000-2000000'), 9e12)).toEqual({ from: 1_000_000, to: 2_000_000 })
})

test('a range that is empty, turned round, too short or longer than a year is none', () => {
  expect(findFixedRange(5_000, 5_000)).toBeUndefined()
  expect(findFixedRange(9_000_000, 1_000_000)).toBeUndefined()
  expect(findFixedRange(0, 9_999)).toBeUndefined()
  expect(findFixedRange(0, 367 * 86_400_000)).toBeUndefined()
  expect(findFixedRange(0.4, 10_000.4)).toEqual({ kind: 'fixed', from: 0, to: 10_000 })
})
