import { expect, test } from 'vitest'
import { toAmountFill, toFill, toScale, toShare } from './heat-scale.ts'

test('an outlier does not stretch the scale, and without values there is no scale', () => {
  const scale = toScale([95, ...Array.from({ length: 200 }, (_, index) => 30 + index / 20)])
  expect(scale?.high).toBeLessThan(41)
  expect(toShare(95, scale ?? { low: 0, high: 0 })).toBe(1)
  expect(toScale([])).toBeUndefined()
})

test('a value has a share between the ends; if all values are equal, it is in the middle', () => {
  expect([30, 35, 40, 20].map((value) => toShare(value, { low: 30, high: 40 }))).toEqual([0, 0.5, 1, 0])
  expect(toShare(35, { low: 35, high: 35 })).toBe(0.5)
})

test('cold and warm have different colours, and the middle has none', () => {
  expect(toFill(0)).toContain('--return-rgb), 0.45')
  expect(toFill(0.5)).toContain('--supply-rgb), 0)')
  expect(toFill(1)).toContain('--supply-rgb), 0.45')
  expect(toAmountFill(0)).toContain('--accent-rgb), 0)')
})
