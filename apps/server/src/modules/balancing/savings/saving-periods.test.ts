import { describe, expect, test } from 'vitest'
import { createTimeZone } from '../../../platform/time-zone.ts'
import { checkPeriods, dateOf, isInSeason, listDays, toUsualPeriods } from './saving-periods.ts'

const winter = { first: { month: 11, day: 15 }, last: { month: 3, day: 15 } }
const months = { first: { month: 5, day: 1 }, last: { month: 8, day: 31 } }

describe('the periods that are compared if people choose none', () => {
  test('are a year before and the days since the first change, without its day and without today', () => {
    expect(toUsualPeriods('2027-02-10', winter, '2026-12-01')).toEqual({
      baseline: { from: '2025-12-01', to: '2026-11-30' },
      after: { from: '2026-12-02', to: '2027-02-09' },
    })
  })

  test('end a year after the change', () => {
    expect(toUsualPeriods('2029-02-10', winter, '2026-12-01').after).toEqual({
      from: '2026-12-02',
      to: '2027-12-01',
    })
  })

  test('are in order on the day of the change and the day after', () => {
    for (const today of ['2026-12-01', '2026-12-02'])
      expect(toUsualPeriods(today, winter, '2026-12-01').after).toEqual({
        from: '2026-12-02',
        to: '2026-12-02',
      })
  })

  test.each([
    ['2026-11-23', '2025-11-15', '2026-03-15', '2026-11-15', '2026-11-22'],
    ['2026-11-15', '2024-11-15', '2025-03-15', '2025-11-15', '2026-03-15'],
    ['2026-07-01', '2024-11-15', '2025-03-15', '2025-11-15', '2026-03-15'],
    ['2027-02-01', '2025-11-15', '2026-03-15', '2026-11-15', '2027-01-31'],
  ])('are the last two seasons without a change: on %s', (today, from, to, afterFrom, afterTo) => {
    expect(toUsualPeriods(today, winter, undefined)).toEqual({
      baseline: { from, to },
      after: { from: afterFrom, to: afterTo },
    })
  })

  test('are in one year where the season is', () => {
    expect(toUsualPeriods('2026-07-10', months, undefined)).toEqual({
      baseline: { from: '2025-05-01', to: '2025-08-31' },
      after: { from: '2026-05-01', to: '2026-07-09' },
    })
  })
})

test('a season includes its first and last day, over the new year or not', () => {
  const inside = ['2026-11-15', '2026-12-31', '2027-01-01', '2027-03-15']
  expect(inside.every((date) => isInSeason(date, winter))).toBe(true)
  expect(['2026-11-14', '2027-03-16', '2027-07-01'].some((date) => isInSeason(date, winter))).toBe(false)
  expect(isInSeason('2026-06-01', months)).toBe(true)
  expect(isInSeason('2026-12-01', months)).toBe(false)
})

test('days begin at midnight of the company, and have 23 or 25 hours where clocks change', () => {
  const shanghai = createTimeZone('Asia/Shanghai')
  expect(dateOf(shanghai, Date.UTC(2026, 10, 22, 16))).toBe('2026-11-23')
  expect(listDays({ from: '2026-12-31', to: '2027-01-01' }, shanghai)).toEqual([
    { date: '2026-12-31', from: Date.UTC(2026, 11, 30, 16), to: Date.UTC(2026, 11, 31, 16) },
    { date: '2027-01-01', from: Date.UTC(2026, 11, 31, 16), to: Date.UTC(2027, 0, 1, 16) },
  ])
  const berlin = createTimeZone('Europe/Berlin')
  const lengths = listDays({ from: '2026-03-28', to: '2026-03-30' }, berlin).map(
    ({ from, to }) => (to - from) / 3.6e6,
  )
  expect(lengths).toEqual([24, 23, 24])
})

test('periods of one day that touch are accepted', () => {
  const day = (date: string) => ({ from: date, to: date })
  expect(() => checkPeriods({ baseline: day('2026-01-01'), after: day('2026-01-02') })).not.toThrow()
  expect(() => checkPeriods({ baseline: day('2026-01-02'), after: day('2026-01-01') })).not.toThrow()
  expect(() => checkPeriods({ baseline: day('2026-01-01'), after: day('2026-01-01') })).toThrow()
})
