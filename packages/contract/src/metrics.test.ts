import { expect, test } from 'vitest'
import { findMetricById, metricNames, metrics } from './metrics.ts'

test('no two metrics share an id', () => {
  expect(new Set(metricNames.map((name) => metrics[name].id)).size).toBe(metricNames.length)
})

test.each(metricNames)('%s is found by its id and has a range', (name) => {
  const { id, range } = metrics[name]
  expect(findMetricById(id)).toBe(name)
  expect(range[0]).toBeLessThan(range[1])
})
