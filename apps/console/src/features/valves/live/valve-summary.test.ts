import { HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import {
  NOW,
  sampleCommand,
  sampleDevice,
  sampleHold,
  sampleState,
} from '../../../shared/devices/valve-samples.testkit.ts'
import { searchRows } from '../rows/row-query.ts'
import { summarize } from './valve-summary.ts'

const row = (id: number, returnC: number, ts = NOW) => ({
  device: sampleDevice({ id }),
  state: sampleState({ deviceId: id, ts, metrics: { 'temp.return': returnC, 'heat.flow': 1.5 } }),
  command: undefined,
  hold: undefined,
})

test('stale values count as silent and are left out of mean, spread and sum', () => {
  const rows = [row(1, 38), row(2, 42), row(3, 90, NOW - HOUR_MS)]
  expect(summarize(rows, NOW)).toEqual({
    valves: 3,
    online: 2,
    silent: 1,
    unknown: 0,
    held: 0,
    pending: 0,
    meanReturnC: 40,
    spreadReturnK: 2,
    totalFlowM3h: 3,
  })
})

test('a valve behind a silent concentrator counts as unknown, and holds are counted', () => {
  const behind = { ...row(1, 38), state: sampleState({ absence: 'unknown' }), hold: sampleHold() }
  expect(summarize([behind, row(2, 40)], NOW)).toMatchObject({ online: 1, silent: 0, unknown: 1, held: 1 })
})

test('without live values a figure is undefined, not zero', () => {
  const silent = { device: sampleDevice(), state: undefined, command: sampleCommand(), hold: undefined }
  expect(summarize([silent], NOW)).toMatchObject({
    online: 0,
    silent: 1,
    pending: 1,
    meanReturnC: undefined,
    spreadReturnK: undefined,
    totalFlowM3h: undefined,
  })
})

test('figures follow the text search', () => {
  const rows = [row(1, 38), row(2, 50)].map((each, index) => ({
    ...each,
    device: sampleDevice({ id: index + 1, name: ['北侧阀', '南侧阀'][index] ?? '' }),
  }))
  expect(summarize(searchRows(rows, '北侧'), NOW)).toMatchObject({ valves: 1, meanReturnC: 38 })
  expect(summarize(searchRows(rows, '西侧'), NOW)).toMatchObject({ valves: 0, meanReturnC: undefined })
})
