import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { historyMetrics } from './history-metrics.ts'
import { columns, rowFilters, sortKeys } from './row-query.ts'
import { sectionMetrics } from './section/heat-scale.ts'
import {
  controlLists,
  historyViews,
  parseControlUrl,
  parseHistoryUrl,
  parseRealUrl,
  realViews,
  toControlSearch,
  toHistorySearch,
  toRealSearch,
} from './url-state.ts'

const ids = (maxLength: number) => fc.uniqueArray(fc.integer({ min: 1, max: 1e9 }), { maxLength })
const batch = fc.option(fc.stringMatching(/^[A-Z0-9]{1,26}$/), { nil: undefined })

describe('what a page keeps in its address comes back as it was', () => {
  test('of the live table', () => {
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

  test('of the history', () => {
    const fixed = fc
      .tuple(fc.integer({ min: 0, max: 1e12 }), fc.integer({ min: 10_000, max: 1e9 }))
      .map(([from, spanMs]) => ({ kind: 'fixed' as const, from, to: from + spanMs }))
    const last = fc
      .constantFrom('15m', '1h', '6h', '24h', '7d')
      .map((preset) => ({ kind: 'last' as const, preset }))
    const url = fc.record({
      deviceIds: ids(4),
      metrics: fc.subarray([...historyMetrics], { minLength: 1 }),
      range: fc.oneof(fixed, last),
      view: fc.constantFrom(...historyViews),
      compare: fc.boolean(),
    })
    fc.assert(
      fc.property(url, (state) => {
        expect(parseHistoryUrl(toHistorySearch(state))).toEqual(state)
      }),
    )
  })

  test('of the control page', () => {
    const url = fc.record({
      deviceIds: ids(20),
      batch,
      list: fc.constantFrom(...controlLists),
      limits: fc.boolean(),
      page: fc.integer({ min: 1, max: 1e6 }),
    })
    fc.assert(
      fc.property(url, (state) => {
        expect(parseControlUrl(toControlSearch(state))).toEqual(state)
      }),
    )
  })
})

test('a plain page has a plain address', () => {
  expect(toRealSearch(parseRealUrl(new URLSearchParams())).toString()).toBe('')
  expect(toHistorySearch(parseHistoryUrl(new URLSearchParams())).toString()).toBe('')
  expect(toControlSearch(parseControlUrl(new URLSearchParams())).toString()).toBe('')
})

test('nonsense in an address falls back to the defaults', () => {
  const search = new URLSearchParams(
    'sort=-nothing&state=odd&hide=x,flow&range=9-1&metrics=a&page=-3&set=0,2,x,2',
  )
  expect(parseRealUrl(search)).toMatchObject({
    sort: 'address',
    filter: 'all',
    hidden: ['flow'],
    setIds: [2],
  })
  expect(parseHistoryUrl(search).range).toEqual({ kind: 'last', preset: '1h' })
  expect(parseHistoryUrl(search).metrics).toContain('temp.return')
  expect(parseControlUrl(search).page).toBe(1)
})

test('a chart compares four valves at most', () => {
  expect(parseHistoryUrl(new URLSearchParams('devices=1,2,3,4,5')).deviceIds).toEqual([1, 2, 3, 4])
})
