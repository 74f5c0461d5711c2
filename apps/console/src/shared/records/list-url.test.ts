import { expect, test } from 'vitest'
import { createListUrl, withFilter } from './list-url.ts'

const { parse, toSearch } = createListUrl({ filters: ['state', 'role'], sorts: ['account', 'name'] })

test('the state of a list survives the address', () => {
  const address = 'q=wang&state=0&sort=-name&page=3&pick=4%2C9&open=new'
  expect(toSearch(parse(new URLSearchParams(address))).toString()).toBe(address)
})

test('a list in its default state has an empty address', () => {
  expect(toSearch(parse(new URLSearchParams())).toString()).toBe('')
})

test('a filter is set and removed beside the others; the list then shows its first page', () => {
  const url = parse(new URLSearchParams('role=2&page=3&pick=4'))
  const changed = { ...url, ...withFilter(url, 'state', '0') }
  expect(toSearch(changed).toString()).toBe('role=2&state=0')
  expect(toSearch({ ...changed, ...withFilter(changed, 'state', undefined) }).toString()).toBe('role=2')
})

test('unknown columns and pages are ignored', () => {
  expect(parse(new URLSearchParams('sort=password&page=-2&role='))).toMatchObject({
    sort: undefined,
    page: 1,
    filters: {},
  })
})
