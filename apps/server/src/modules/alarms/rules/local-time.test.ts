import { expect, test } from 'vitest'
import { createLocalClock, isInForce } from './local-time.ts'

test('an instant is converted to the local time of the company', () => {
  const shanghai = createLocalClock('Asia/Shanghai')
  expect(shanghai(Date.UTC(2026, 10, 14, 16, 30))).toEqual({ day: '11-15', hour: 0 })
  expect(shanghai(Date.UTC(2026, 10, 14, 15, 59))).toEqual({ day: '11-14', hour: 23 })
  // An offset of three quarters of an hour.
  expect(createLocalClock('Asia/Kathmandu')(Date.UTC(2026, 0, 1, 18, 15))).toEqual({ day: '01-02', hour: 0 })
})

test('a season can include the new year, and hours can include midnight', () => {
  const season = { from: '11-15', to: '03-15' }
  const days = ['11-14', '11-15', '01-01', '03-15', '03-16']
  expect(days.map((day) => isInForce({ season, hours: null }, { day, hour: 12 }))).toEqual([
    false,
    true,
    true,
    true,
    false,
  ])
  const hours = { from: 22, to: 6 }
  expect(
    [21, 22, 23, 0, 5, 6].map((hour) => isInForce({ season: null, hours }, { day: '01-01', hour })),
  ).toEqual([false, true, true, true, true, false])
  const summer = { season: { from: '05-01', to: '09-30' }, hours: { from: 8, to: 20 } }
  expect(isInForce(summer, { day: '06-01', hour: 8 })).toBe(true)
  expect(isInForce(summer, { day: '06-01', hour: 20 })).toBe(false)
  expect(isInForce(summer, { day: '10-01', hour: 9 })).toBe(false)
})

test('hours that start and end together are the whole day, and such a season is one day', () => {
  const hours = { from: 8, to: 8 }
  expect([7, 8, 9].map((hour) => isInForce({ season: null, hours }, { day: '01-01', hour }))).toEqual([
    true,
    true,
    true,
  ])
  const season = { from: '05-01', to: '05-01' }
  expect(
    ['04-30', '05-01', '05-02'].map((day) => isInForce({ season, hours: null }, { day, hour: 0 })),
  ).toEqual([false, true, false])
})
