import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { computeSpread } from './statistics.ts'

const values = fc.array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: 1, maxLength: 60 })

describe('spread', () => {
  test('is undefined without values', () => {
    expect(computeSpread([])).toBeUndefined()
    expect(computeSpread([Number.NaN, Number.POSITIVE_INFINITY])).toBeUndefined()
  })

  test('is the population deviation: for 2, 4, 4, 4, 5, 5, 7, 9 it is 2 around a mean of 5', () => {
    const spread = computeSpread([9, 2, 4, 4, 5, 4, 7, 5])
    expect(spread).toMatchObject({ count: 8, mean: 5, deviation: 2, median: 4.5 })
  })

  test('shifting all values shifts the mean and leaves the deviation', () => {
    fc.assert(
      fc.property(values, fc.double({ min: -50, max: 50, noNaN: true }), (list, shift) => {
        const before = computeSpread(list)
        const after = computeSpread(list.map((value) => value + shift))
        expect(after?.mean).toBeCloseTo((before?.mean ?? 0) + shift, 6)
        expect(after?.deviation).toBeCloseTo(before?.deviation ?? 0, 6)
      }),
    )
  })

  test('percentiles stay inside the values and in order', () => {
    fc.assert(
      fc.property(values, (list) => {
        const spread = computeSpread(list)
        if (!spread) throw new Error('a spread of some values exists')
        expect(spread.p5).toBeGreaterThanOrEqual(Math.min(...list))
        expect(spread.median).toBeGreaterThanOrEqual(spread.p5)
        expect(spread.p95).toBeGreaterThanOrEqual(spread.median)
        expect(spread.p95).toBeLessThanOrEqual(Math.max(...list))
      }),
    )
  })
})
