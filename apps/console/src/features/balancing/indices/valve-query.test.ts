import { expect, test } from 'vitest'
import { applyValveQuery, type ValveQuery } from './valve-query.ts'
import { sampleValve } from './valve-samples.testkit.ts'

const all: ValveQuery = { text: '', filter: 'all', sort: 'place', descending: false }
const valves = [
  sampleValve({
    deviceId: 1,
    deviceName: '1单元阀',
    deviationK: 2.4,
    nestaddr: '集团,公司,东区,一号站,阳光小区,3号楼,1单元',
  }),
  sampleValve({ deviceId: 2, deviationK: -1.8, excluded: 'held' }),
  sampleValve({ deviceId: 3, deviationK: undefined, excluded: 'not-measured' }),
  sampleValve({ deviceId: 4, deviationK: 0.2, deviceName: 'Shop' }),
]
const idsOf = (query: Partial<ValveQuery>) =>
  applyValveQuery(valves, { ...all, ...query }).map(({ deviceId }) => deviceId)

test('valves are filtered by place and name, by deviation, and by whether they are included', () => {
  expect(idsOf({ text: '301 一号站' })).toEqual([2, 3, 4])
  expect(idsOf({ text: 'shop' })).toEqual([4])
  expect(idsOf({ filter: 'off' })).toEqual([1, 2])
  expect(idsOf({ filter: 'excluded' })).toEqual([2, 3])
  expect(idsOf({ filter: 'moving' })).toEqual([1, 4])
})

test('rows sort in both directions; rows without a reading come last', () => {
  expect(idsOf({ sort: 'deviation' })).toEqual([2, 4, 1, 3])
  expect(idsOf({ sort: 'deviation', descending: true })).toEqual([1, 4, 2, 3])
  expect(idsOf({ descending: true })).toEqual([4, 3, 2, 1])
})
