import { expect, test } from 'vitest'
import { createListUrl } from './list-url.ts'

const { parse, toSearch } = createListUrl({ filters: ['state', 'role'], sorts: ['account', 'name'] })

test('the state of a list survives the address', () => {
  const address = 'q=wang&state=0&sort=-name&page=3&pick=4%2C9&open=new'
  expect(toSearch(parse(new URLSearchParams(address))).toString()).toBe(address)
})

test('a list in its default state has an empty address', () => {
  expect(toSearch(parse(new URLSearchParams())).toString()).toBe('')
})

test('unknown columns and pages are ignored', () => {
  expect(parse(new URLSearchParams('sort=password&page=-2&role='))).toMatchObject({
    sort: undefined,
    page: 1,
    filters: {},
  })
})
