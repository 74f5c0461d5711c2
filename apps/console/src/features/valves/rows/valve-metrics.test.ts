import { isReportedBy, metricNames } from '@isotherm/contract/metrics'
import { expect, test } from 'vitest'
import { historyMetrics, toShownMetrics } from './valve-metrics.ts'

test('the history offers exactly the metrics that a valve may report, each once', () => {
  expect(historyMetrics.toSorted()).toEqual(
    metricNames.filter((name) => isReportedBy(name, 'valve')).toSorted(),
  )
  expect(historyMetrics).toContain('soil.moisture')
  expect(historyMetrics.slice(0, 2)).toEqual(['valve.opening', 'valve.target'])
})

test('the usual values are always shown, other values only when reported', () => {
  expect(toShownMetrics({})).toContain('bat.v')
  expect(toShownMetrics({})).not.toContain('soil.moisture')
  expect(toShownMetrics({ 'soil.moisture': 0 })).toContain('soil.moisture')
})
