import fc from 'fast-check'
import { expect, test } from 'vitest'
import { historyMetrics } from '../devices/history-metrics.ts'
import { createHistoryAddress, historyViews } from './history-url.ts'

const { parse: parseHistoryUrl, toSearch: toHistorySearch } = createHistoryAddress('valve')

const ids = (maxLength: number) => fc.uniqueArray(fc.integer({ min: 1, max: 1e9 }), { maxLength })

test('the state of the history page is read back from the address as it was written', () => {
  const fixed = fc
    .tuple(fc.integer({ min: 0, max: 1e12 }), fc.integer({ min: 10_000, max: 1e9 }))
    .map(([from, spanMs]) => ({ kind: 'fixed' as const, from, to: from + spanMs }))
  const last = fc
    .constantFrom('15m', '1h', '6h', '24h', '7d')
    .map((preset) => ({ kind: 'last' as const, preset }))
  const url = fc.record({
    deviceIds: ids(20),
    kind: fc.constantFrom('valve' as const, 'room-sensor' as const),
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

test('a page in its default state has no parameters in the address', () => {
  expect(toHistorySearch(parseHistoryUrl(new URLSearchParams())).toString()).toBe('')
})

test('invalid parameters fall back to the defaults', () => {
  const url = parseHistoryUrl(new URLSearchParams('range=9-1&metrics=a'))
  expect(url.range).toEqual({ kind: 'last', preset: '1h' })
  expect(url.metrics).toBeUndefined()
})

test('a chart compares twenty devices at most', () => {
  const many = Array.from({ length: 25 }, (_, index) => index + 1)
  expect(parseHistoryUrl(new URLSearchParams(`devices=${many}`)).deviceIds).toEqual(many.slice(0, 20))
})
