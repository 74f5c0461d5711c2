import type { Series } from '@isotherm/contract/endpoints/monitoring/telemetry'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { describe, expect, test } from 'vitest'
import { NOW, sampleState } from '../../../shared/devices/valve-samples.testkit.ts'
import { appendState, type Point, toCurve, toHistoryRows, toShifted } from './history-series.ts'

const curve = (metric: string, deviceId = 1): Series => ({
  deviceId,
  metric,
  points: [[NOW - MINUTE_MS, 30, 0]],
  downsampled: false,
})

describe('live values', () => {
  test('are appended to the curve of their device and metric', () => {
    const curves = [curve('temp.return'), curve('temp.return', 2), curve('bat.v')]
    const next = appendState(curves, sampleState())
    expect(next[0]?.points.at(-1)).toEqual([NOW - 1_000, 37.9, 0])
    expect(next[1]).toBe(curves[1])
    expect(next[2]).toBe(curves[2])
  })

  test('that are not newer change nothing', () => {
    const curves = appendState([curve('temp.return')], sampleState())
    expect(appendState(curves, sampleState())).toBe(curves)
    expect(appendState(curves, sampleState({ ts: NOW - 50_000 }))).toBe(curves)
  })

  test('are not appended to hourly means', () => {
    const curves = [{ ...curve('temp.return'), bucket: 'hour' as const, bands: [[29, 31] as const] }]
    expect(appendState(curves, sampleState())).toBe(curves)
  })

  test('start an empty curve', () => {
    const empty: Series = { ...curve('temp.return'), points: [] }
    expect(appendState([empty], sampleState())[0]?.points).toHaveLength(1)
  })
})

test('readings of one instant share a table row, newest row first', () => {
  const supply: Series = {
    ...curve('temp.supply'),
    points: [
      [1, 50, 0],
      [2, 51, 4],
    ],
  }
  const back: Series = { ...curve('temp.return'), points: [[2, 40, 0]] }
  const rows = toHistoryRows([supply, back])
  expect(rows.map((row) => row.ts)).toEqual([2, 1])
  expect(rows[0]?.values.get('temp.return')).toBe(40)
  expect(rows[0]?.quality).toBe(4)
  expect(rows[1]?.values.has('temp.return')).toBe(false)
})

describe('buckets', () => {
  const hours = {
    deviceId: 1,
    metric: 'temp.return',
    start: [0, HOUR_MS, 7_200_000],
    avg: [40, null, 42],
    min: [38, null, 41],
    max: [43, null, 44],
  }

  test('become points of their means with the range; a bucket without a trusted reading is left out', () => {
    const { points, bands, bucket } = toCurve(hours, 'hour')
    expect(points).toEqual([
      [0, 40, 0],
      [7_200_000, 42, 0],
    ])
    expect({ bands, bucket }).toEqual({
      bands: [
        [38, 43],
        [41, 44],
      ],
      bucket: 'hour',
    })
  })

  test('have their range in the table', () => {
    expect(toHistoryRows([toCurve(hours, 'hour')])[0]?.bands.get('temp.return')).toEqual([41, 44])
  })
})

test('a curve of the year before is shifted to the shown range and has no band', () => {
  const laterMs = 365 * DAY_MS
  const curve = {
    deviceId: 1,
    metric: 'temp.return',
    downsampled: false,
    bucket: 'day' as const,
    points: [[NOW - laterMs, 30, 0] as Point],
    bands: [[28, 31] as const],
  }
  expect(toShifted(curve, (ts) => ts + laterMs)).toEqual({
    deviceId: 1,
    metric: 'temp.return',
    downsampled: false,
    bucket: 'day',
    points: [[NOW, 30, 0]],
    isYearBefore: true,
  })
})
