import { expect, test } from 'vitest'
import { filteredPage } from './filter.ts'

test('a page number and size may be digits, as older clients send their input fields', () => {
  const { limiter } = filteredPage.parse({ limiter: { page: '2', size: '50' } })
  expect(limiter).toEqual({ page: 2, size: 50 })
})

test.each(['', 'two', '1.5', '-1', '1e3', '0'])('%j is no page number', (text) => {
  expect(filteredPage.safeParse({ limiter: { page: text, size: 10 } }).success).toBe(false)
})

test('conditions that were not filled in are left out; others need a known comparison', () => {
  const filled = { field: 'stype', cond: 'eq' as const, vstd: 's' }
  const empty = { field: '', cond: '', vstd: '', vrex: '' }
  expect(filteredPage.parse({ filter: [empty, filled, empty] }).filter).toEqual([filled])
  expect(filteredPage.safeParse({ filter: [{ ...filled, cond: '' }] }).success).toBe(false)
})
