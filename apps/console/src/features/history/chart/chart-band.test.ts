import { HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import type { Curve } from '../curves/history-series.ts'
import { toBandSeries, toDotSize, toPointRows } from './chart-band.ts'

const hours: Curve = {
  deviceId: 1,
  metric: 'rssi',
  bucket: 'hour',
  downsampled: false,
  points: [
    [0, -80, 0],
    [HOUR_MS, -82, 0],
    [4 * HOUR_MS, -90, 0],
  ],
  bands: [
    [-85, -75],
    [-90, -80],
    [-95, -88],
  ],
}
const line = { panel: 0, name: 'rssi', color: '#123', curve: hours }

test('no line is drawn across hours without data', () => {
  expect(toPointRows(hours)).toEqual([
    [0, -80, 0, -85, -75],
    [HOUR_MS, -82, 0, -90, -80],
    [HOUR_MS + 1, null],
    [4 * HOUR_MS, -90, 0, -95, -88],
  ])
})

test('a curve of readings has no gaps', () => {
  const { bucket: _, bands: __, ...readings } = hours
  expect(toPointRows(readings)).toEqual(hours.points)
  expect(toBandSeries({ ...line, curve: readings }, 0)).toEqual([])
})

test('a band starts at the minimum and is as high as the range', () => {
  const [lowest, height] = toBandSeries(line, 3)
  expect(lowest?.data.map(([, value]) => value)).toEqual([-85, -90, null, -95])
  expect(height?.data.map(([, value]) => value)).toEqual([10, 10, null, 7])
  expect(lowest?.stack).toBe(height?.stack)
})

test('only a mean between two gaps is drawn as a dot', () => {
  const rows = toPointRows(hours)
  expect(rows.map((_, dataIndex) => toDotSize(rows)(undefined, { dataIndex }) > 0)).toEqual([
    false,
    false,
    false,
    true,
  ])
})
