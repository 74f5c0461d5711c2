import { expect, test } from 'vitest'
import { deviceKind } from './devices.ts'
import { findMetricById, isHeatStation, isReportedBy, metricNames, metrics } from './metrics.ts'

test('no two metrics share an id', () => {
  expect(new Set(metricNames.map((name) => metrics[name].id)).size).toBe(metricNames.length)
})

test.each(metricNames)('%s is found by its id and has a range', (name) => {
  const { id, range } = metrics[name]
  expect(findMetricById(id)).toBe(name)
  expect(range[0]).toBeLessThan(range[1])
})

test('each metric is reported by some kind of device, and each kind reports some', () => {
  for (const name of metricNames)
    expect(deviceKind.options.some((kind) => isReportedBy(name, kind))).toBe(true)
  for (const kind of deviceKind.options)
    expect(metricNames.some((name) => isReportedBy(name, kind))).toBe(true)
  expect(isReportedBy('temp.room', 'valve')).toBe(false)
})

test('a controller that measures a pump but no heat is that of a pump house', () => {
  expect(isHeatStation({ 'pump.power': 3, 'heat.flow': 12, 'pressure.supply': 300 })).toBe(false)
  expect(isHeatStation({ 'pump.power': 3, 'temp.supply': 45 })).toBe(true)
  expect(isHeatStation(undefined)).toBe(true)
})
