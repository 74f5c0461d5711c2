import type { Alarm } from '@isotherm/contract/alarms/alarms'
import { expect, test } from 'vitest'
import { sampleAlarm } from '../parts/alarm-samples.testkit.ts'
import { sortAlarms } from './sort-alarms.ts'

const alarm = (id: number, given: Partial<Alarm>): Alarm => sampleAlarm({ id, ...given })
const alarms = [
  alarm(1, { nestaddr: '东苑,10号楼', value: 16, raisedAt: 30, severity: 'critical' }),
  alarm(2, { nestaddr: '东苑,9号楼', raisedAt: 20 }),
  alarm(3, { nestaddr: '东苑,2号楼', value: 15, raisedAt: 10, severity: 'warning' }),
]
const order = (...[key, descending]: [Parameters<typeof sortAlarms>[1], boolean?]) =>
  sortAlarms(alarms, key, descending ?? false).map(({ id }) => id)

test('without a sort the alarms keep the order of the server', () => {
  expect(order('worst')).toEqual([1, 2, 3])
})

test('addresses are sorted by the numbers in their names', () => {
  expect(order('place')).toEqual([3, 2, 1])
  expect(order('place', true)).toEqual([1, 2, 3])
})

test('alarms without a value come last in both directions', () => {
  expect(order('value')).toEqual([3, 1, 2])
  expect(order('value', true)).toEqual([1, 3, 2])
})

test('the most severe and newest alarms come first', () => {
  expect(order('severity')).toEqual([1, 2, 3])
  expect(order('raised')).toEqual([1, 2, 3])
  expect(order('raised', true)).toEqual([3, 2, 1])
})
