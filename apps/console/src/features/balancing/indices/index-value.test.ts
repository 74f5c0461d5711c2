import { indexMeanings } from '@isotherm/balancing/indices/index-meanings'
import { expect, test } from 'vitest'
import { findBetter, indexNames, toShown } from './index-value.ts'

test('shares are shown in percent; flow, head and power in the units of the usual instruments', () => {
  const show = (name: (typeof indexNames)[number], value: number) => {
    const { factor, decimals, unit } = toShown(name)
    return `${(value * factor).toFixed(decimals)} ${unit}`.trim()
  }
  expect(show('withinOneK', 0.873)).toBe('87.3 %')
  expect(show('totalFlowKgS', 25)).toBe('90.0 t/h')
  expect(show('headPa', 123_400)).toBe('123.4 kPa')
  expect(show('pumpW', 4_321)).toBe('4.32 kW')
  expect(show('flowBalance', 0.934)).toBe('0.93')
})

test('every unit of an index has a display format', () => {
  for (const name of indexNames) expect(toShown(name).decimals, indexMeanings[name].unit).toBeGreaterThan(0)
  expect(indexNames).toContain('notMeasuredShare')
})

test('a smaller spread and a larger share within one kelvin are better; a change too small to show is neutral', () => {
  expect(findBetter('sigmaReturnK', 1.2, 0.4)).toBe(true)
  expect(findBetter('withinOneK', 0.9, 0.7)).toBe(false)
  expect(findBetter('sigmaReturnK', 1.2, 1.203)).toBeUndefined()
  expect(findBetter('totalFlowKgS', 20, 25)).toBeUndefined()
})
