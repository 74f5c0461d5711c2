import type { DeviceKind } from '@isotherm/contract/devices'
import type { Series } from '@isotherm/contract/endpoints/monitoring/telemetry'
import { quality } from '@isotherm/contract/metrics'
import { expect, test } from 'vitest'
import { judgeFirstReadings, NEW_MS, toClockOffset } from './judge-first-readings.ts'

const NOW = 1_763_683_200_000
const PERIOD = 900_000

/** Values of a metric, one a period, the last one now. */
const toSeries = (metric: string, values: readonly number[], bits = 0): Series => ({
  deviceId: 1,
  metric,
  points: values.map((value, at) => [NOW - (values.length - 1 - at) * PERIOD, value, bits]),
  downsampled: false,
})
const meter = (over: Readonly<Record<string, readonly number[]>> = {}): readonly Series[] =>
  Object.entries({
    'heat.energy': [10, 11, 12],
    'heat.flow': [0.8, 0.8, 0.8],
    'temp.supply': [48, 49, 49],
    'temp.return': [38, 38, 39],
    ...over,
  }).map(([metric, values]) => toSeries(metric, values))
const judge = (series: readonly Series[], kind: DeviceKind = 'heat-meter') =>
  judgeFirstReadings({ kind, series, findings: [] }, NOW)

test('flow and temperatures that fit are plausible', () => {
  expect(judge(meter())).toEqual({ readings: 3, problems: [] })
})

test('nothing to judge: no reading yet, and a device that has reported for longer than a day', () => {
  expect(judge([])).toEqual({ readings: 0, problems: [] })
  expect(judge([toSeries('heat.energy', [])])).toEqual({ readings: 0, problems: [] })
  const old: Series = {
    deviceId: 1,
    metric: 'heat.energy',
    points: [[NOW - NEW_MS - 1, 5, 0]],
    downsampled: false,
  }
  expect(judge([old])).toBeUndefined()
})

test('a supply that is colder than the return in most readings with flow looks like swapped sensors', () => {
  expect(judge(meter({ 'temp.supply': [38, 38, 50], 'temp.return': [45, 46, 40] }))?.problems).toEqual([
    { name: 'swapped', excessK: 7 },
  ])
  expect(judge(meter({ 'temp.supply': [38, 50, 50], 'temp.return': [45, 40, 40] }))?.problems).toEqual([])
  const still = { 'temp.supply': [20, 20, 20], 'temp.return': [25, 25, 25], 'heat.flow': [0, 0, 0] }
  expect(judge(meter(still))?.problems).toEqual([{ name: 'no-flow' }])
})

test('missing metrics, marked values and a wrong clock are named', () => {
  expect(judge([toSeries('bat.v', [3.6])], 'room-sensor')?.problems).toEqual([
    { name: 'missing', metrics: ['temp.room'] },
  ])
  const marked = [toSeries('temp.room', [199], quality.sensorFault)]
  expect(judge(marked, 'room-sensor')?.problems).toEqual([{ name: 'suspect', metrics: ['temp.room'] }])
  const finding = { rule: 'meter-clock', detail: { offsetS: -94_672_800 } } as const
  const ended = { ...finding, until: NOW }
  const clocks = [[finding], [ended]].map((findings) =>
    judgeFirstReadings({ kind: 'heat-meter', series: meter(), findings }, NOW),
  )
  expect(clocks.map((verdict) => verdict?.problems)).toEqual([[{ name: 'clock', offsetS: -94_672_800 }], []])
})

test('a clock is off by years, days, hours or minutes', () => {
  expect([-94_672_800, 172_800, 7_200, 660].map(toClockOffset)).toEqual([
    { unit: 'year', value: 3 },
    { unit: 'day', value: 2 },
    { unit: 'hour', value: 2 },
    { unit: 'minute', value: 11 },
  ])
})
