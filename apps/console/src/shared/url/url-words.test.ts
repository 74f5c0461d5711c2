import { expect, test } from 'vitest'
import { findKnown, parseIds, pickKnown, toSearch } from './url-words.ts'

test('known words of an address are accepted and returned in their fixed order', () => {
  expect(pickKnown('b,x,a,b', ['a', 'b', 'c'])).toEqual(['a', 'b'])
  expect(pickKnown(null, ['a'])).toEqual([])
  expect(findKnown('b', ['a', 'b'])).toBe('b')
  expect(findKnown('x', ['a', 'b'])).toBeUndefined()
})

test('ids are positive integers without duplicates', () => {
  expect(parseIds('3,1,3,-2,x,1.5,')).toEqual([3, 1])
})

test('empty parameters are not in the address', () => {
  expect(toSearch({ q: 'a b', page: '' }).toString()).toBe('q=a+b')
})
