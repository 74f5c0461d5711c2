import { filter } from '@isotherm/contract/filter'
import { expect, test } from 'vitest'
import { isNarrowed, notNarrowed, toAlarmFilter, toIdFilters, toLogFilter } from './alarm-filter.ts'
import { parseAlarmsUrl } from './alarms-url.ts'

const of = (search: string) => parseAlarmsUrl(new URLSearchParams(search))

test('by default, open alarms are listed that are neither silenced nor suppressed', () => {
  expect(toAlarmFilter(of(''))).toEqual({
    filter: [{ field: 'silenced', cond: 'eq', vstd: 'false' }],
    open: true,
    suppressed: false,
  })
})

test('each choice becomes one condition, each word of the search another', () => {
  const request = of(
    'severity=critical,major&kind=room-cold&state=unacknowledged&q=B3%20Pump&silenced=1&suppressed=1',
  )
  expect(toAlarmFilter(request)).toEqual({
    filter: [
      { field: 'severity', cond: 'in', vstd: 'critical,major' },
      { field: 'kind', cond: 'in', vstd: 'room-cold' },
      { field: 'about', cond: 'like', vstd: 'b3' },
      { field: 'about', cond: 'like', vstd: 'pump' },
      { field: 'state', cond: 'in', vstd: 'active,cleared' },
    ],
    open: true,
    suppressed: true,
  })
})

test('only the filter for ended alarms goes beyond open alarms', () => {
  expect(toAlarmFilter(of('state=ended')).open).toBe(false)
})

test('the server accepts the filter for any search text', () => {
  const many = of(`severity=critical&kind=room-cold&state=ended&assignee=a&q=${'x '.repeat(40)}`)
  expect(filter.safeParse(toAlarmFilter(many).filter).success).toBe(true)
  expect(filter.safeParse(toLogFilter(many)).success).toBe(true)
})

test('many selected alarms are split into filters that are short enough', () => {
  const ids = Array.from({ length: 400 }, (_, each) => 90_000_000 + each)
  const filters = toIdFilters(ids)
  expect(filters.flatMap(([item]) => String(item?.vstd).split(',').map(Number))).toEqual(ids)
  for (const each of filters) expect(filter.safeParse(each).success).toBe(true)
  expect(toIdFilters([])).toEqual([])
})

test('any choice that removes alarms narrows the list, and clearing removes all of them', () => {
  expect(['', 'silenced=1&suppressed=1'].map((search) => isNarrowed(of(search)))).toEqual([false, false])
  for (const search of ['severity=major', 'kind=room-cold', 'q=x', 'state=ended', 'assignee=a']) {
    expect(isNarrowed(of(search)), search).toBe(true)
    expect(isNarrowed({ ...of(search), ...notNarrowed })).toBe(false)
  }
})
