import { expect, test } from 'vitest'
import { findSlope } from './slope.ts'

const toSamples = (values: readonly number[]) => values.map((value, index) => ({ atH: index / 10, value }))

test('a growth of 0.5 every six minutes is 5 per hour', () => {
  expect(findSlope(toSamples([10, 10.5, 11, 11.5, 12]))).toBeCloseTo(5, 9)
})

test('one high sample is not a growth', () => {
  expect(findSlope(toSamples([10, 10, 10, 90, 10, 10, 10]))).toBe(0)
})

test('two samples have no slope', () => {
  expect(findSlope(toSamples([10, 20]))).toBeUndefined()
})
