import { HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { formatInstant, toAge } from './instants.ts'
import { ABSENT, formatMetric, formatMetricValue, formatNumber } from './numbers.ts'

test('a metric has the decimals and unit of the registry', () => {
  expect(formatMetric('temp.supply', 47.26, 'zh')).toBe('47.3\u00a0°C')
  expect(formatMetric('valve.opening', 60, 'en')).toBe('60%')
  expect(formatMetricValue('heat.flow', 1234.5, 'en')).toBe('1,234.500')
})

test('an absent value is a dash, and no value is minus zero', () => {
  expect(formatMetric('temp.room', undefined, 'zh')).toBe(ABSENT)
  expect(formatNumber(Number.NaN, 1, 'zh')).toBe(ABSENT)
  expect(formatNumber(-0.04, 1, 'zh')).toBe('0.0')
  expect(formatNumber(-0.06, 1, 'zh')).toBe('-0.1')
})

test('an instant is shown in the requested time zone', () => {
  const noon = Date.UTC(2026, 0, 15, 4, 0, 0)
  expect(formatInstant(noon, 'zh', 'Asia/Shanghai')).toBe('2026/01/15 12:00:00')
  expect(formatInstant(noon, 'en', 'UTC')).toBe('15/01/2026, 04:00:00')
  expect(formatInstant(undefined, 'zh')).toBe(ABSENT)
})

test('an age has the largest suitable unit and is never negative', () => {
  expect(toAge(10_000, 14_999)).toEqual({ unit: 'now' })
  expect(toAge(10_000, 0)).toEqual({ unit: 'now' })
  expect(toAge(0, 59_000)).toEqual({ unit: 'seconds', value: 59 })
  expect(toAge(0, 61_000)).toEqual({ unit: 'minutes', value: 1 })
  expect(toAge(0, 47 * HOUR_MS)).toEqual({ unit: 'hours', value: 47 })
  expect(toAge(0, 49 * HOUR_MS)).toEqual({ unit: 'days', value: 2 })
})
