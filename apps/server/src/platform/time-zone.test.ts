import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { expect, test, vi } from 'vitest'
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

test.each(['Asia/Shanghai', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia'])(
  'the times of a year in %s are those of Intl, which reads few of them',
  (name) => {
    const [from, stepMs, times] = [Date.UTC(2026, 0, 1), 45 * MINUTE_MS, 11_680]
    const format = new Intl.DateTimeFormat('sv', { timeZone: name, dateStyle: 'short', timeStyle: 'medium' })
    const zone = createTimeZone(name)
    const reading = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts')
    for (let at = 0; at < times; at += 1) {
      const ms = from + at * stepMs
      expect(new Date(zone.toLocal(ms)).toISOString().slice(0, 19)).toBe(format.format(ms).replace(' ', 'T'))
      // Twice a year an hour is repeated, and its first instant counts.
      expect(ms - zone.toInstant(zone.toLocal(ms))).toBeOneOf([0, HOUR_MS / 2, HOUR_MS])
    }
    expect(reading.mock.calls.length).toBeLessThan(1_500)
    reading.mockRestore()
  },
)
