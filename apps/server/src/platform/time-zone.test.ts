import { expect, test } from 'vitest'
import { createTimeZone } from './time-zone.ts'

const local = (text: string): number => Date.parse(`${text}Z`)
const toText = (zone: string, text: string): string =>
  new Date(createTimeZone(zone).toInstant(local(text))).toISOString().slice(0, 16)

test.each([
  ['Asia/Shanghai', '2026-11-23T06:00', '2026-11-22T22:00'],
  ['Europe/Berlin', '2026-03-29T01:59', '2026-03-29T00:59'],
  ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30'],
  ['Europe/Berlin', '2026-03-29T03:00', '2026-03-29T01:00'],
  ['America/New_York', '2026-03-08T01:30', '2026-03-08T06:30'],
  ['America/New_York', '2026-03-08T02:00', '2026-03-08T07:00'],
  ['America/New_York', '2026-03-08T03:00', '2026-03-08T07:00'],
  ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30'],
  ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30'],
])('the clocks of %s show %s at %s UTC', (zone, text, instant) => {
  expect(toText(zone, text)).toBe(instant)
})
