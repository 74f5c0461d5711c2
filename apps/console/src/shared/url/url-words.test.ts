import { expect, test } from 'vitest'
import { findKnown, parseIds, pickKnown, toSearch } from './url-words.ts'

test('what an address names is taken as far as it is known, in the order of what is known', () => {
  expect(pickKnown('b,x,a,b', ['a', 'b', 'c'])).toEqual(['a', 'b'])
  expect(pickKnown(null, ['a'])).toEqual([])
  expect(findKnown('b', ['a', 'b'])).toBe('b')
  expect(findKnown('x', ['a', 'b'])).toBeUndefined()
})

test('ids are positive whole numbers, each once', () => {
  expect(parseIds('3,1,3,-2,x,1.5,')).toEqual([3, 1])
})

test('what is empty does not stand in the address', () => {
  expect(toSearch({ q: 'a b', page: '' }).toString()).toBe('q=a+b')
})
