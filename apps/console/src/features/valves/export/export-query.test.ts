import { expect, test } from 'vitest'
import { isTooLong, toDonePct } from './export-query.ts'

test('only a workbook can be too long', () => {
  expect(isTooLong('xlsx', 10_485_750)).toBe(false)
  expect(isTooLong('xlsx', 10_485_751)).toBe(true)
  expect(isTooLong('csv', 1e9)).toBe(false)
})

test('a count that was too high never shows more than all, and no rows are all of none', () => {
  expect([toDonePct(0, 10), toDonePct(5, 10), toDonePct(12, 10), toDonePct(0, 0)]).toEqual([0, 50, 100, 100])
})
