import { expect, test } from 'vitest'
import { gini, median, quantile, shareWhere, weightedDeviation, weightedMean } from './statistics.ts'

const NONE = Number.NaN

test('a mean weighs what is known and leaves out what is not', () => {
  expect(weightedMean([40, NONE, 44], [1, 5, 3])).toBe(43)
  expect(weightedMean([NONE])).toBeUndefined()
})

test('a deviation is that of all there are', () => {
  expect(weightedDeviation([39, 41, NONE])).toBe(1)
  expect(weightedDeviation([39, 41], [3, 1])).toBeCloseTo(Math.sqrt(0.75), 12)
})

test('quantiles lie on straight lines between neighbours', () => {
  expect(quantile([4, 1, 3, 2, NONE], 0.5)).toBe(2.5)
  expect(median([7])).toBe(7)
  expect(quantile([], 0.5)).toBeUndefined()
})

test('a share counts among the known only', () => {
  expect(shareWhere([17, 19, NONE], (value) => value < 18)).toBe(0.5)
})

test('the Gini coefficient is 0 for equals, and 1 − 1/n when one has everything', () => {
  expect(gini([2, 2, 2])).toBeCloseTo(0, 12)
  expect(gini([0, 0, 0, 8])).toBeCloseTo(0.75, 12)
  expect(gini([0, 0])).toBeUndefined()
})
