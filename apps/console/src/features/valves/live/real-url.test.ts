import fc from 'fast-check'
import { expect, test } from 'vitest'
import { columns, rowFilters, sortKeys } from '../rows/row-query.ts'
import { sectionMetrics } from '../section/heat-scale.ts'
import { parseRealUrl, realViews, toRealSearch } from './real-url.ts'

const ids = (maxLength: number) => fc.uniqueArray(fc.integer({ min: 1, max: 1e9 }), { maxLength })
const batch = fc.option(fc.stringMatching(/^[A-Z0-9]{1,26}$/), { nil: undefined })

test('the state of the live page is read back from the address as it was written', () => {
  const url = fc.record({
    text: fc.string({ maxLength: 20 }),
    filter: fc.constantFrom(...rowFilters),
    sort: fc.constantFrom(...sortKeys),
    descending: fc.boolean(),
    view: fc.option(fc.constantFrom(...realViews), { nil: undefined }),
    colour: fc.constantFrom(...sectionMetrics),
    hidden: fc.subarray([...columns]),
    selected: ids(20),
    setIds: ids(3),
    valve: fc.option(fc.integer({ min: 1, max: 1e9 }), { nil: undefined }),
    batch,
  })
  fc.assert(
    fc.property(url, (state) => {
      expect(parseRealUrl(toRealSearch(state))).toEqual(state)
    }),
  )
})

test('a page in its default state has no parameters in the address', () => {
  expect(toRealSearch(parseRealUrl(new URLSearchParams())).toString()).toBe('')
})

test('invalid parameters fall back to the defaults', () => {
  const search = new URLSearchParams('sort=-nothing&state=odd&hide=x,flow&set=0,2,x,2')
  expect(parseRealUrl(search)).toMatchObject({
    sort: 'address',
    filter: 'all',
    hidden: ['flow'],
    setIds: [2],
  })
})
