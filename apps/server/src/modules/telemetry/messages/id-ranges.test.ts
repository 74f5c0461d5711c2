import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isInRanges, toIdRanges } from './id-ranges.ts'

const toDevices = (ids: readonly number[]) => ids.map((id) => ({ id }))
/** In any order. */
const ids = fc.uniqueArray(fc.integer({ min: 1, max: 5_000 }), { maxLength: 1_000 })

test('ranges contain all ids, ascending, and are at most two hundred', () => {
  fc.assert(
    fc.property(ids, (given) => {
      const ranges = toIdRanges(toDevices(given))
      expect(ranges.length).toBeLessThanOrEqual(200)
      expect(given.every((id) => ranges.some(({ first, last }) => first <= id && id <= last))).toBe(true)
      for (const [index, { first, last }] of ranges.entries()) {
        expect(first).toBeLessThanOrEqual(last)
        expect(first).toBeGreaterThan((ranges[index - 1]?.last ?? -1) + 1)
      }
    }),
  )
})

test('few runs of ids are exact', () => {
  expect(toIdRanges(toDevices([9, 1, 2, 10, 3, 7]))).toEqual([
    { first: 1, last: 3 },
    { first: 7, last: 7 },
    { first: 9, last: 10 },
  ])
})

test('above the limit the smallest gaps are closed', () => {
  const spread = Array.from({ length: 300 }, (_, index) => index * (index < 150 ? 2 : 100) + 1)
  const ranges = toIdRanges(toDevices(spread))
  expect(ranges).toHaveLength(200)
  expect(ranges.slice(-149)).toEqual(spread.slice(-149).map((id) => ({ first: id, last: id })))
})

test('no range is no condition, and no id is none at all', () => {
  expect(isInRanges('device', undefined)).toBe('true')
  expect(isInRanges('device', [])).toBe('false')
  expect(isInRanges('node', [{ first: 1, last: 4 }])).toBe('(node BETWEEN 1 AND 4)')
})
