import { expect, test } from 'vitest'
import { isSearchable, splitMatch } from './search-text.ts'

test('the first match is found, ignoring case', () => {
  expect(splitMatch('Alpha alpha', ' ALPHA')).toEqual({ before: '', match: 'Alpha', after: ' alpha' })
  expect(splitMatch('阳光小区', '小区')).toEqual({ before: '阳光', match: '小区', after: '' })
  expect(splitMatch('阳光小区', 'ygxq')).toBeUndefined()
  expect(splitMatch('阳光小区', ' ')).toBeUndefined()
})

test.each([
  ['阳', true],
  ['y', false],
  ['yg', true],
  [' 5 ', false],
  ['', false],
])('the company is searched for %j: %s', (text, searched) => {
  expect(isSearchable(text)).toBe(searched)
})
