import { describe, expect, test } from 'vitest'
import { findCellValue, toCellFill, toCellScale } from './cell-metric.ts'
import { sampleValve } from './indices/valve-samples.testkit.ts'

describe('the value of a metric at a valve', () => {
  test('heat and flow are per heated area: 0.25 m³/h at 8 K is about 2.3 kW', () => {
    // 992.9 kg/m³ · 4.180 kJ/(kg·K) · 0.25 m³/h · 8 K / 3600 s = 2.306 kW
    expect(findCellValue(sampleValve(), 'heat')).toBeCloseTo(23.1, 1)
    expect(findCellValue(sampleValve(), 'flow')).toBeCloseTo(2.48, 2)
  })

  test('is undefined if one of its inputs is missing', () => {
    expect(findCellValue(sampleValve({ supplyC: undefined }), 'heat')).toBeUndefined()
    expect(findCellValue(sampleValve({ areaM2: 0 }), 'flow')).toBeUndefined()
    expect(findCellValue(sampleValve({ deviationK: undefined }), 'deviation')).toBeUndefined()
  })
})

describe('colours', () => {
  test('a deviation of zero has no colour, and deviations below one kelvin have weak colours', () => {
    expect(toCellScale([-0.3, 0.1, 0.4], 'deviation')).toEqual({ low: -1, high: 1 })
    const scale = toCellScale([-4, ...Array.from({ length: 10 }, () => 2)], 'deviation')
    expect(scale).toEqual({ low: -2, high: 2 })
    expect(toCellFill(0.5, 'deviation')).toContain('--supply-rgb), 0)')
    expect(toCellFill(1, 'opening')).toContain('--accent-rgb), 0.45')
  })

  test('an outlier does not stretch the scale, and without values there is no scale', () => {
    const flows = [...Array.from({ length: 200 }, (_, index) => 2 + index / 200), 90]
    expect(toCellScale(flows, 'flow')?.high).toBeLessThan(3.1)
    expect(toCellScale([], 'flow')).toBeUndefined()
    expect(toCellScale([], 'opening')).toEqual({ low: 0, high: 100 })
  })
})
