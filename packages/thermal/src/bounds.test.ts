import { expect, it, test } from 'vitest'
import { checkStep, within } from './bounds.ts'

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('a step of %d s is refused', (stepS) => {
  expect(() => checkStep(stepS)).toThrow(RangeError)
})

it('accepts a step of any positive length', () => {
  for (const stepS of [1e-3, 3_600, 1e9]) expect(() => checkStep(stepS)).not.toThrow()
})

it('limits a value to both ends of a range', () => {
  expect([-1, 0, 3, 5, 6].map((value) => within(value, 0, 5))).toEqual([0, 0, 3, 5, 5])
})
