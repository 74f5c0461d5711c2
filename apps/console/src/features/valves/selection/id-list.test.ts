import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_CHOSEN, parseIds, toIdsText } from './id-list.ts'

test('a few ids keep their order', () => {
  expect(toIdsText([7, 3, 12])).toBe('7,3,12')
  expect(parseIds('7,3,12,7')).toEqual([7, 3, 12])
})

test('ids with equal steps become runs', () => {
  const all = Array.from({ length: 3_000 }, (_, index) => index + 1)
  expect(toIdsText(all)).toBe('1-3000')
  expect(toIdsText([...all.map((id) => id * 3), 9_500])).toBe('3-9000.3,9500')
})

test('any list of ids is read back from its text', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 300_000 }), { maxLength: 400 })
  fc.assert(
    fc.property(ids, (chosen) => {
      expect(new Set(parseIds(toIdsText(chosen)))).toEqual(new Set(chosen))
    }),
  )
})

test('invalid ids are left out, and the length of a run is limited', () => {
  expect(parseIds('a,-4,1.5,0,5-3,2')).toEqual([2])
  expect(parseIds(null)).toEqual([])
  expect(parseIds('1-999999999999999')).toHaveLength(MAX_CHOSEN)
})
