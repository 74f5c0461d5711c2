import { expect, test } from 'vitest'
import { toScale } from './to-scale.ts'

test.each([
  { values: [2.7, 2.9], scale: [2.7, 2.9], of: 'values that are close' },
  { values: [0.4, 2], scale: [0, 2], of: 'values near zero' },
  { values: [-3, 5], scale: [-3, 5], of: 'values on both sides of zero' },
  { values: [0.907, 0.907], scale: [0, 0.907], of: 'equal shares, which cannot be below zero' },
  { values: [0.6, 0.6 + 1e-9], scale: [0, 0.6 + 1e-9], of: 'values that are equal to a reader' },
  { values: [-4, -4], scale: [-4, 0], of: 'equal values below zero' },
  { values: [0, 0], scale: [0, 1], of: 'nothing but zero' },
])('the axis of $of', ({ values, scale }) => {
  expect(toScale(values)).toEqual(scale)
})
