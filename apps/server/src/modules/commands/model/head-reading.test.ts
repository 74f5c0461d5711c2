import type { MetricName } from '@isotherm/contract/metrics'
import { expect, test } from 'vitest'
import { toHeadKpa } from './head-reading.ts'

test('a head is the supply pressure minus the return pressure, or the differential pressure if one is missing', () => {
  const read = (values: Partial<Record<MetricName, number>>) => toHeadKpa((metric) => values[metric])
  const whole = { 'pressure.supply': 400, 'pressure.return': 300, 'pressure.diff': 90 }
  expect(read(whole)).toBe(100)
  expect(read({ 'pressure.supply': 400, 'pressure.diff': 90 })).toBe(90)
  expect(read({ 'pressure.return': 300, 'pressure.diff': 90 })).toBe(90)
  expect(read({ 'pressure.supply': 400 })).toBeUndefined()
})
