import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toDistribution } from './distribution.ts'

test('values are counted in intervals of a round width', () => {
  expect(toDistribution([0.2, 0.4, 0.41, 1.9])).toEqual({
    bounds: [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8, 2],
    counts: [1, 2, 0, 0, 0, 0, 0, 0, 1],
  })
})

test('equal values are one interval that contains them, none are none', () => {
  expect(toDistribution([])).toEqual({ bounds: [], counts: [] })
  expect(toDistribution([0, 0]).counts).toEqual([2])
})

test('every value is counted once, between bounds that ascend', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1 }), (values) => {
      const { bounds, counts } = toDistribution(values)
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(values.length)
      expect(bounds).toHaveLength(counts.length + 1)
      expect(bounds).toEqual([...bounds].sort((left, right) => left - right))
    }),
  )
})
