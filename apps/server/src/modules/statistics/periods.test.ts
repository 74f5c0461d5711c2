import { describe, expect, test } from 'vitest'
import { toDate, toDayNumber } from '../meters/index.ts'
import { type ComparisonChoice, findComparison, toPeriod } from './periods.ts'

const season = { first: { month: 11, day: 15 }, last: { month: 3, day: 15 } }
const toDates = (range: { from: number; to: number } | undefined) =>
  range && [toDate(range.from), toDate(range.to - 1)]

const choose = (choice: Partial<ComparisonChoice>, today: string) => {
  const calendar = { season, today: toDayNumber(today) }
  const whole = { period: 'month', compare: 'none', ...choice } as const
  const range = toPeriod(whole, calendar)
  return [toDates(range), toDates(findComparison(range, whole, calendar))]
}

describe('periods end yesterday, because today has no rollup', () => {
  test.each([
    ['day', '2026-11-26'],
    ['week', '2026-11-20'],
    ['month', '2026-10-28'],
    ['season', '2026-11-15'],
  ] as const)('%s begins on %s', (period, first) => {
    expect(choose({ period }, '2026-11-27')[0]).toEqual([first, '2026-11-26'])
  })
})

test('in summer and on the first day of a season the last season is meant', () => {
  expect(choose({ period: 'season' }, '2026-07-01')[0]).toEqual(['2025-11-15', '2026-03-15'])
  expect(choose({ period: 'season' }, '2026-11-15')[0]).toEqual(['2025-11-15', '2026-03-15'])
})

test('a period is compared with the days before it, a season with the season before', () => {
  expect(choose({ period: 'week', compare: 'before' }, '2026-11-27')[1]).toEqual(['2026-11-13', '2026-11-19'])
  expect(choose({ period: 'season', compare: 'before' }, '2026-11-27')[1]).toEqual([
    '2025-11-15',
    '2025-11-26',
  ])
  expect(choose({ period: 'day', compare: 'year' }, '2026-11-27')[1]).toEqual(['2025-11-26', '2025-11-26'])
  expect(choose({ compare: 'none' }, '2026-11-27')[1]).toBeUndefined()
})

test('a chosen range needs both dates and ends yesterday at the latest', () => {
  expect(() => choose({ period: 'range', from: '2026-11-01' }, '2026-11-27')).toThrow()
  expect(choose({ period: 'range', from: '2026-11-01', to: '2026-12-31' }, '2026-11-27')[0]).toEqual([
    '2026-11-01',
    '2026-11-26',
  ])
})
