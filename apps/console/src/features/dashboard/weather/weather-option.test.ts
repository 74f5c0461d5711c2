import { expect, test } from 'vitest'
import { findExtremes, toSpan } from './weather-option.ts'

const values = [3, -8, 1].map((outdoorC, index) => ({ at: 1000 + index, outdoorC }))

test('the coldest and the warmest hour are found with their instants', () => {
  expect(findExtremes(values)).toEqual({ low: { at: 1001, outdoorC: -8 }, high: { at: 1000, outdoorC: 3 } })
  expect(findExtremes([])).toBeUndefined()
})

test('the chart spans measured and forecast values, and there is none of a single instant', () => {
  expect(toSpan(values, [{ at: 5000, outdoorC: 0 }])).toEqual({ from: 1000, to: 5000 })
  expect(toSpan(values.slice(0, 1), [])).toBeUndefined()
  expect(toSpan([], [])).toBeUndefined()
})
