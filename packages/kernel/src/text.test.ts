import { expect, test } from 'vitest'
import { textBeforeComma } from './text.ts'

test('the text up to the nth comma', () => {
  expect(textBeforeComma('集团,公司,区域', 0)).toBe('集团')
  expect(textBeforeComma('集团,公司,区域', 1)).toBe('集团,公司')
})

test.each([-1, 2, 3, 0.5])('§5 Invalid index: %s names no comma of a list with two', (n) => {
  expect(() => textBeforeComma('a,b,c', n)).toThrow(
    'Invalid index: n should be within the range of available commas.',
  )
})
