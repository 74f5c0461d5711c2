import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { findLastSlot } from './report-slots.ts'

const ZONE = 'Asia/Shanghai'
const at = (text: string) => Date.parse(`${text}+08:00`)
const weekly = { every: 'week', weekday: 1, hour: 8, isOnly: false } as const

test('a weekly report is due on its weekday at its hour in the zone of the company', () => {
  // 2026-01-12 is a Monday.
  expect(findLastSlot(weekly, ZONE, at('2026-01-12T08:00:00'))).toBe(at('2026-01-12T08:00:00'))
  expect(findLastSlot(weekly, ZONE, at('2026-01-12T07:59:59'))).toBe(at('2026-01-05T08:00:00'))
  expect(findLastSlot(weekly, ZONE, at('2026-01-18T23:59:59'))).toBe(at('2026-01-12T08:00:00'))
})

test('a daily report is due each day, also just after midnight', () => {
  const daily = { ...weekly, every: 'day', hour: 0 } as const
  expect(findLastSlot(daily, ZONE, at('2026-01-12T00:00:00'))).toBe(at('2026-01-12T00:00:00'))
  expect(findLastSlot({ ...daily, hour: 23 }, ZONE, at('2026-01-12T00:10:00'))).toBe(
    at('2026-01-11T23:00:00'),
  )
})

test('one slot is a week after the other, also where clocks change', () => {
  const zone = 'Europe/Berlin'
  const first = findLastSlot(weekly, zone, Date.parse('2026-03-24T00:00:00Z'))
  const second = findLastSlot(weekly, zone, Date.parse('2026-03-31T00:00:00Z'))
  expect(second - first).toBe(7 * DAY_MS - HOUR_MS)
})
