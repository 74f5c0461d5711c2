import { isReportedBy, metricNames } from '@isotherm/contract/metrics'
import { expect, test } from 'vitest'
import { historyMetrics, toShownMetrics } from './valve-metrics.ts'

test('the history offers each metric once that the registry lets a valve report, and no other', () => {
  expect(historyMetrics.toSorted()).toEqual(
    metricNames.filter((name) => isReportedBy(name, 'valve')).toSorted(),
  )
  expect(historyMetrics).toContain('soil.moisture')
  expect(historyMetrics.slice(0, 2)).toEqual(['valve.opening', 'valve.target'])
})

test('a valve shows the usual values also while it has none, and others only when it reports them', () => {
  expect(toShownMetrics({})).toContain('bat.v')
  expect(toShownMetrics({})).not.toContain('soil.moisture')
  expect(toShownMetrics({ 'soil.moisture': 0 })).toContain('soil.moisture')
})
