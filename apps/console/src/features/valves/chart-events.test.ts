import { expect, test } from 'vitest'
import { readZoom } from './chart-events.ts'

test('a zoomed chart has a span, one that shows everything has none', () => {
  expect(readZoom([{ start: 20, end: 60, startValue: 2_000, endValue: 6_000, more: 1 }])).toEqual({
    from: 2_000,
    to: 6_000,
  })
  expect(readZoom([{ start: 0, end: 100, startValue: 0, endValue: 10_000 }])).toBeUndefined()
})

test('anything else is no zoom', () => {
  expect(readZoom(undefined)).toBeUndefined()
  expect(readZoom([{ start: 'x' }])).toBeUndefined()
  expect(readZoom([])).toBeUndefined()
})
