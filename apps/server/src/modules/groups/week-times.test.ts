import { expect, test } from 'vitest'
import { createTimeZone } from '../../platform/time-zone.ts'
import { findLast, listNext } from './week-times.ts'

const iso = (orders: readonly { readonly at: number; readonly openingPct: number }[]) =>
  orders.map(({ at, openingPct }) => [new Date(at).toISOString(), openingPct])

const shanghai = createTimeZone('Asia/Shanghai')
const berlin = createTimeZone('Europe/Berlin')
/** Weekdays in the morning and every evening. */
const orders = [
  { days: [0, 1, 2, 3, 4], minute: 360, openingPct: 70 },
  { days: [0, 1, 2, 3, 4, 5, 6], minute: 1_320, openingPct: 40 },
]

test('orders are due at local times of their weekdays, and are listed earliest first', () => {
  // A Friday at noon in Shanghai.
  const noon = Date.parse('2026-11-27T04:00:00Z')
  expect(iso(listNext(orders, shanghai, noon, 5))).toEqual([
    ['2026-11-27T14:00:00.000Z', 40],
    ['2026-11-28T14:00:00.000Z', 40],
    ['2026-11-29T14:00:00.000Z', 40],
    ['2026-11-29T22:00:00.000Z', 70],
    ['2026-11-30T14:00:00.000Z', 40],
  ])
  expect(iso([findLast(orders, shanghai, noon) ?? { at: 0, openingPct: 0 }])).toEqual([
    ['2026-11-26T22:00:00.000Z', 70],
  ])
})

test('an order is due at its instant, and not again after it', () => {
  const [first] = listNext(orders, shanghai, Date.parse('2026-11-27T04:00:00Z'), 1)
  expect(findLast(orders, shanghai, first?.at ?? 0)).toEqual(first)
  expect(listNext(orders, shanghai, first?.at ?? 0, 1)[0]?.at).toBeGreaterThan(first?.at ?? 0)
})

test('the local time stays when the clocks change', () => {
  const sunday = { days: [5, 6, 0], minute: 420, openingPct: 50 }
  expect(iso(listNext([sunday], berlin, Date.parse('2026-03-28T00:00:00Z'), 3))).toEqual([
    ['2026-03-28T06:00:00.000Z', 50],
    ['2026-03-29T05:00:00.000Z', 50],
    ['2026-03-30T05:00:00.000Z', 50],
  ])
})

test('an order at a time that the clocks skip is due an hour later; at a time that occurs twice it is due once', () => {
  const night = { days: [6], minute: 150, openingPct: 50 }
  expect(iso(listNext([night], berlin, Date.parse('2026-03-28T12:00:00Z'), 1))).toEqual([
    ['2026-03-29T01:30:00.000Z', 50],
  ])
  expect(iso(listNext([night], berlin, Date.parse('2026-10-24T12:00:00Z'), 2))).toEqual([
    ['2026-10-25T00:30:00.000Z', 50],
    ['2026-11-01T01:30:00.000Z', 50],
  ])
})

test('a schedule without orders has no next and no last order', () => {
  expect(listNext([], shanghai, 0, 5)).toEqual([])
  expect(findLast([], shanghai, 0)).toBeUndefined()
})
