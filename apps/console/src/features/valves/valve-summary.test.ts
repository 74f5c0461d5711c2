import { expect, test } from 'vitest'
import { NOW, sampleCommand, sampleDevice, sampleState } from './valve-samples.testkit.ts'
import { summarize } from './valve-summary.ts'

const row = (id: number, returnC: number, ts = NOW) => ({
  device: sampleDevice({ id }),
  state: sampleState({ deviceId: id, ts, metrics: { 'temp.return': returnC, 'heat.flow': 1.5 } }),
  command: undefined,
})

test('stale values are counted and left out of mean, spread and sum', () => {
  const rows = [row(1, 38), row(2, 42), row(3, 90, NOW - 3_600_000)]
  expect(summarize(rows, NOW)).toEqual({
    valves: 3,
    online: 2,
    stale: 1,
    pending: 0,
    meanReturnC: 40,
    spreadReturnK: 2,
    totalFlowM3h: 3,
  })
})

test('without a live value there is no figure rather than zero', () => {
  const silent = { device: sampleDevice(), state: undefined, command: sampleCommand() }
  expect(summarize([silent], NOW)).toMatchObject({
    online: 0,
    stale: 1,
    pending: 1,
    meanReturnC: undefined,
    spreadReturnK: undefined,
    totalFlowM3h: undefined,
  })
})
