import { expect, test } from 'vitest'
import { createRequestedSearch } from './url-search.ts'

const search = (text: string) => new URLSearchParams(text)

test('a change is based on the previous one, even if the router has not shown that yet', () => {
  const requested = createRequestedSearch()
  expect(requested.from(search('a=1')).toString()).toBe('a=1')
  requested.note(search('a=1'), search('a=1&b=2'))
  expect(requested.from(search('a=1')).toString()).toBe('a=1&b=2')
})

test('after a navigation, including the back button, a change is based on the shown address', () => {
  const requested = createRequestedSearch()
  requested.note(search('a=1'), search('a=2'))
  expect(requested.from(search('a=3')).toString()).toBe('a=3')
  requested.forget()
  expect(requested.from(search('a=1')).toString()).toBe('a=1')
})
