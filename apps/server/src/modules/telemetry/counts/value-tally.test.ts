import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createValueTally } from './value-tally.ts'

const tallyOf = (values: readonly number[]) => {
  const tally = createValueTally('temp.return')
  for (const value of values) tally.add(value)
  return tally.read()
}

test('2, 4, 4, 4, 5, 5, 7 and 9 have a deviation of 2 from 5', () => {
  expect(tallyOf([9, 2, 4, 4, 5, 4, 7, 5])).toEqual({
    count: 8,
    mean: expect.closeTo(5, 9),
    deviation: expect.closeTo(2, 9),
    // Positions 0.35, 3.5 and 6.65 of 0 to 7.
    p5: expect.closeTo(2.7, 9),
    median: 4.5,
    p95: expect.closeTo(8.3, 9),
    bins: [1, 0, 3, 2, 0, 1, 0, 1].map((count, index) => ({ from: 2 + index, count })),
  })
})

test('there is no distribution without values in the range of the metric', () => {
  expect(tallyOf([])).toBeNull()
  expect(tallyOf([Number.NaN, -10.1, 120.1, Number.POSITIVE_INFINITY])).toBeNull()
})

test('a value on a border belongs to the bin above, also below zero and at the ends of the range', () => {
  expect(tallyOf([-10, -9.01, -9, 0])?.bins.filter(({ count }) => count > 0)).toEqual([
    { from: -10, count: 2 },
    { from: -9, count: 1 },
    { from: 0, count: 1 },
  ])
  expect(tallyOf([17.999_999, 120])?.bins.filter(({ count }) => count > 0)).toEqual([
    { from: 17, count: 1 },
    { from: 120, count: 1 },
  ])
})

test('many similar values keep their differences', () => {
  const tally = createValueTally('temp.return')
  for (let at = 0; at < 100_000; at += 1) tally.add(at % 2 === 0 ? 40 : 40.02)
  expect(tally.read()?.deviation).toBeCloseTo(0.01, 9)
})

const values = fc.array(fc.double({ min: -10, max: 120, noNaN: true }), { minLength: 1, maxLength: 60 })

test('for any values, mean, deviation and percentiles equal those of the sorted values', () => {
  fc.assert(
    fc.property(values, (given) => {
      const sorted = given.toSorted((left, right) => left - right)
      const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length
      const squares = sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0)
      const quantile = (share: number): number => {
        const position = share * (sorted.length - 1)
        const low = sorted[Math.floor(position)] ?? Number.NaN
        return low + ((sorted[Math.ceil(position)] ?? low) - low) * (position - Math.floor(position))
      }
      const found = tallyOf(given)
      expect(found?.count).toBe(given.length)
      expect(found?.mean).toBeCloseTo(mean, 9)
      expect(found?.deviation).toBeCloseTo(Math.sqrt(squares / given.length), 6)
      for (const [share, percentile] of [
        [0.05, found?.p5],
        [0.5, found?.median],
        [0.95, found?.p95],
      ] as const)
        expect(Math.abs((percentile ?? Number.NaN) - quantile(share))).toBeLessThanOrEqual(0.005_001)
    }),
  )
})

test('for any values, each value is in exactly one bin, and there are no gaps between bins', () => {
  fc.assert(
    fc.property(values, (given) => {
      const bins = tallyOf(given)?.bins ?? []
      expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(given.length)
      expect(bins.map(({ from }) => from)).toEqual(bins.map((_, index) => (bins[0]?.from ?? 0) + index))
      // A bin from -0 starts at 0.
      expect(bins[0]?.from).toBe(Math.floor(Math.min(...given)) + 0)
      expect(bins.at(-1)?.from).toBe(Math.floor(Math.max(...given)) + 0)
    }),
  )
})
