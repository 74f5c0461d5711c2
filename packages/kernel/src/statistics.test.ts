import { expect, test } from 'vitest'
import {
  gini,
  lowerMedian,
  mean,
  median,
  quantile,
  quantileOfSorted,
  shareWhere,
  sum,
  weightedDeviation,
  weightedMean,
} from './statistics.ts'

const UNKNOWN = Number.NaN

test('sum and mean include every value; the mean of an empty sample is 0', () => {
  expect([sum([1, 2, 6]), mean([1, 2, 6])]).toEqual([9, 3])
  expect([sum([]), mean([])]).toEqual([0, 0])
  expect([sum([1, UNKNOWN]), mean([1, UNKNOWN])]).toEqual([UNKNOWN, UNKNOWN])
})

test('a weighted mean leaves out unknown values', () => {
  expect(weightedMean([40, UNKNOWN, 44], [1, 5, 3])).toBe(43)
  expect(weightedMean([40, 44], [1, 0])).toBe(40)
  expect(weightedMean([40, 44, 50], [1, 1, -1])).toBe(42)
  expect(weightedMean([UNKNOWN])).toBeUndefined()
})

test('a deviation is that of the population', () => {
  expect(weightedDeviation([39, 41, UNKNOWN])).toBe(1)
  expect(weightedDeviation([39, 41], [3, 1])).toBeCloseTo(Math.sqrt(0.75), 12)
  expect(weightedDeviation([UNKNOWN])).toBeUndefined()
})

test('quantiles are interpolated linearly between neighbours', () => {
  expect(quantile([4, 1, 3, 2, UNKNOWN], 0.5)).toBe(2.5)
  expect([quantile([1, 2], -1), quantile([1, 2], 2)]).toEqual([1, 2])
  expect(quantile([], 0.5)).toBeUndefined()
  expect(quantileOfSorted([1, 2, 3, 4], 0.25)).toBe(1.75)
  expect(quantileOfSorted([], 0.5)).toBeNaN()
})

test('a median of an even number of values is the mean of the two in the middle, or the lower of them', () => {
  expect([median([7]), median([3, 1, 2]), median([4, 1, 3, 2])]).toEqual([7, 2, 2.5])
  expect([lowerMedian([7]), lowerMedian([3, 1, 2]), lowerMedian([4, 1, 3, 2])]).toEqual([7, 2, 2])
  expect([median([UNKNOWN]), lowerMedian([])]).toEqual([undefined, undefined])
})

test('a share counts known values only', () => {
  expect(shareWhere([17, 19, UNKNOWN], (value) => value < 18)).toBe(0.5)
  expect(shareWhere([UNKNOWN], () => true)).toBeUndefined()
})

test('the Gini coefficient is 0 for equal values, and 1 − 1/n if one value is the whole sum', () => {
  expect(gini([2, 2, 2])).toBeCloseTo(0, 12)
  expect(gini([0, 0, 0, 8])).toBeCloseTo(0.75, 12)
  expect(gini([0, 0])).toBeUndefined()
})
