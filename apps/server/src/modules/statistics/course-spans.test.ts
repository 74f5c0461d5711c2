import { expect, test } from 'vitest'
import { toDate, toDayNumber } from '../meters/index.ts'
import { toCourseSpans } from './course-spans.ts'

const list = (step: 'day' | 'week' | 'month') =>
  toCourseSpans({ from: toDayNumber('2026-11-27'), to: toDayNumber('2026-12-08') }, step).map(
    ({ from, to }) => [toDate(from), toDate(to - 1)],
  )

test('weeks begin on Monday, the first and last may be shorter', () => {
  expect(list('week')).toEqual([
    ['2026-11-27', '2026-11-29'],
    ['2026-11-30', '2026-12-06'],
    ['2026-12-07', '2026-12-07'],
  ])
})

test('months and days', () => {
  expect(list('month')).toEqual([
    ['2026-11-27', '2026-11-30'],
    ['2026-12-01', '2026-12-07'],
  ])
  expect(list('day')).toHaveLength(11)
})
