import { expect, test } from 'vitest'
import { createTimeZone } from '../../../platform/time-zone.ts'
import { parseTime } from './parse-time.ts'

const shanghai = createTimeZone('Asia/Shanghai')
const at = (text: string, clock?: string, order: 'ymd' | 'dmy' | 'mdy' = 'ymd') => {
  const ms = parseTime(text, clock, order, shanghai)
  return ms === undefined ? undefined : new Date(ms).toISOString()
}

test.each([
  ['2026-01-02 03:04:05', '2026-01-01T19:04:05.000Z'],
  ['2026/1/2 3:04', '2026-01-01T19:04:00.000Z'],
  ['2026年1月2日 3时4分', '2026-01-01T19:04:00.000Z'],
  ['2026-01-02T03:04:05.250Z', '2026-01-02T03:04:05.250Z'],
  ['2026-01-02T03:04:05+0100', '2026-01-02T02:04:05.000Z'],
  ['20260102030405', '2026-01-01T19:04:05.000Z'],
  ['2026.01.02', '2026-01-01T16:00:00.000Z'],
  // 2026-01-02 12:00 as a workbook stores it, and Unix time.
  ['46024.5', '2026-01-02T04:00:00.000Z'],
  ['1767326400', '2026-01-02T04:00:00.000Z'],
  ['1767326400000', '2026-01-02T04:00:00.000Z'],
  ['2026-02-30 00:00', undefined],
  ['202602300000', undefined],
  ['2026-01-02 25:00', undefined],
  ['yesterday', undefined],
  ['12', undefined],
])('%s', (text, expected) => {
  expect(at(text)).toBe(expected)
})

test('days before months, months before days, and a time of day of its own', () => {
  expect(at('02.01.2026 03:04', undefined, 'dmy')).toBe('2026-01-01T19:04:00.000Z')
  expect(at('01/02/2026 03:04', undefined, 'mdy')).toBe('2026-01-01T19:04:00.000Z')
  expect(at('2026-01-02', '03:04')).toBe('2026-01-01T19:04:00.000Z')
  expect(at('46024', '0.5')).toBe('2026-01-02T04:00:00.000Z')
})

test.each([
  ['46024', '10:15', '2026-01-02T02:15:00.000Z'],
  ['46024', '10:15Z', '2026-01-02T10:15:00.000Z'],
  ['46024', '0', '2026-01-01T16:00:00.000Z'],
  ['46024', '10', undefined],
  ['46024', '1015', undefined],
  ['46024', '', undefined],
  ['46024.5', '', '2026-01-02T04:00:00.000Z'],
  ['46024.5', '10:15', undefined],
  ['1767326400', '', '2026-01-02T04:00:00.000Z'],
  ['2026-01-02', '0.5', '2026-01-02T04:00:00.000Z'],
  ['2026-01-02', '1015', undefined],
  ['2026-01-02', '', undefined],
  ['20260102', '', undefined],
  ['20260102', '10:15', '2026-01-02T02:15:00.000Z'],
  ['2026-01-02 03:04', '', '2026-01-01T19:04:00.000Z'],
])('the day %s with the time of day "%s" of its own column', (text, clock, expected) => {
  expect(at(text, clock)).toBe(expected)
})

test('a local time that the clocks skip or repeat has one instant', () => {
  const berlin = createTimeZone('Europe/Berlin')
  const toText = (text: string) => new Date(parseTime(text, undefined, 'ymd', berlin) ?? 0).toISOString()
  expect(toText('2026-10-25 02:30')).toBe('2026-10-25T00:30:00.000Z')
  expect(toText('2026-03-29 02:30')).toBe('2026-03-29T01:30:00.000Z')
})
