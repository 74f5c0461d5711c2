import { expect, test } from 'vitest'
import { createAskedSearch } from './url-search.ts'

const search = (text: string) => new URLSearchParams(text)

test('a change starts from the previous one, even if not shown yet', () => {
  const asked = createAskedSearch()
  expect(asked.from(search('a=1')).toString()).toBe('a=1')
  asked.note(search('a=1'), search('a=1&b=2'))
  expect(asked.from(search('a=1')).toString()).toBe('a=1&b=2')
})

test('a change starts from the shown address after a navigation, including the back button', () => {
  const asked = createAskedSearch()
  asked.note(search('a=1'), search('a=2'))
  expect(asked.from(search('a=3')).toString()).toBe('a=3')
  asked.forget()
  expect(asked.from(search('a=1')).toString()).toBe('a=1')
})
