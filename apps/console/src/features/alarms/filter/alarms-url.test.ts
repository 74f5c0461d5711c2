import { expect, test } from 'vitest'
import { type AlarmsUrl, parseAlarmsUrl, toAlarmsSearch } from './alarms-url.ts'
import { findFixedRange, parseLogRange, toLogRangeText, toLogSpan } from './log-range.ts'

const parse = (text: string) => parseAlarmsUrl(new URLSearchParams(text))

test('a page in its default state has no parameters in the address', () => {
  expect(toAlarmsSearch(parse('')).toString()).toBe('')
  expect(parse('')).toMatchObject({ part: 'rooms', section: 'open', state: 'open', sort: 'worst', page: 1 })
})

test('the state of the page is read back as it was written', () => {
  const url: AlarmsUrl = {
    section: 'log',
    part: undefined,
    severities: ['critical', 'minor'],
    kinds: ['room-cold'],
    text: '三号楼 pump',
    state: 'cleared',
    assignee: 'maintenance',
    silenced: true,
    suppressed: true,
    sort: 'raised',
    descending: true,
    picked: [7, 3],
    alarm: 12,
    events: ['raised', 'closed'],
    range: { kind: 'fixed', from: 1_000, to: 2_000 },
    page: 4,
  }
  expect(parse(toAlarmsSearch(url).toString())).toEqual(url)
})

test('invalid parameters are ignored', () => {
  const url = parse(
    'section=x&severity=critical,awful&kind=room-cold,x&state=y&sort=-z&alarm=-1&page=0&range=9z',
  )
  expect(url).toMatchObject({
    section: 'open',
    severities: ['critical'],
    kinds: ['room-cold'],
    state: 'open',
    sort: 'worst',
    alarm: undefined,
    page: 1,
    range: { kind: 'last', preset: '7d' },
  })
})

test('a range that ends now begins at a whole minute and has no end', () => {
  const now = 1_800_000_012_345
  expect(toLogSpan(parseLogRange('24h'), now)).toEqual({ from: 1_799_913_600_000 })
  expect(toLogSpan(parseLogRange('all'), now)).toEqual({})
  expect(toLogSpan({ kind: 'fixed', from: 5, to: 9 }, now)).toEqual({ from: 5, to: 9 })
})

test('a custom range must end after it begins', () => {
  expect(findFixedRange(9, 9)).toBeUndefined()
  expect(findFixedRange(Number.NaN, 9)).toBeUndefined()
  expect(parseLogRange('~')).toEqual({ kind: 'last', preset: '7d' })
  expect(toLogRangeText(parseLogRange('3~9'))).toBe('3~9')
})

test('a section of another feature is shown instead of an alarm section; a link to alarms shows alarms', () => {
  expect(parse('section=visits').part).toBe('visits')
  expect(parse('section=open').part).toBeUndefined()
  expect(parse('severity=critical')).toMatchObject({ section: 'open', part: undefined })
  expect(toAlarmsSearch(parse('section=open')).toString()).toBe('section=open')
})
