import { expect, test } from 'vitest'
import { toDraft, toMeaning, withRole } from './column-roles.ts'

const wide = toDraft(
  {
    form: 'wide',
    device: { column: 0, by: 'meter-no' },
    time: { column: 1, order: 'ymd' },
    timeZone: 'Asia/Shanghai',
    values: [{ column: 3, metric: 'heat.energy', unit: 'GJ' }],
  },
  4,
)

test('what is recognised becomes roles of columns, and these the mapping', () => {
  expect(wide.columns).toEqual(['meter-no', 'time', 'none', 'heat.energy'])
  expect(toMeaning(wide)).toEqual({
    form: 'wide',
    device: { column: 0, by: 'meter-no' },
    time: { column: 1, order: 'ymd' },
    timeZone: 'Asia/Shanghai',
    values: [{ column: 3, metric: 'heat.energy', unit: 'GJ' }],
    isEstimated: false,
  })
})

test('a device, a time and a value are each in one column; metrics may be in several', () => {
  const moved = withRole(withRole(wide, 2, 'serial'), 3, 'heat.volume')
  expect(moved.columns).toEqual(['none', 'time', 'serial', 'heat.volume'])
  expect(moved.units[3]).toBe('m³')
})

test('what is missing is named', () => {
  expect(toMeaning(withRole(wide, 0, 'none'))).toBe('device')
  expect(toMeaning(withRole(wide, 1, 'none'))).toBe('time')
  expect(toMeaning(withRole(wide, 3, 'none'))).toBe('values')
  expect(toMeaning(withRole(wide, 2, 'metric'))).toBe('value')
})

test('a column with the names of metrics makes the long form', () => {
  const long = withRole(
    withRole({ ...wide, names: { 室温: { metric: 'temp.room', unit: '°C' } } }, 2, 'metric'),
    3,
    'value',
  )
  expect(toMeaning(long)).toMatchObject({
    form: 'long',
    metricColumn: 2,
    valueColumn: 3,
    values: [{ name: '室温', metric: 'temp.room', unit: '°C' }],
  })
})
