import { celsius } from '@isotherm/kernel/quantities'
import { expect, test } from 'vitest'
import { heatCoefficient, waterHeatCapacity } from './water.ts'

test.each([
  [20, 4.1844],
  [25, 4.1816],
  [95, 4.2105],
])('water of %f °C takes %f kJ/(kg·K)', (t, capacity) => {
  expect(waterHeatCapacity(celsius(t))).toBeCloseTo(capacity, 2)
})

test('between two values of its table the heat capacity is interpolated', () => {
  // 4.1844 and 4.1801 at 20 and 30 °C.
  expect(waterHeatCapacity(celsius(22.5))).toBeCloseTo(4.1844 - 0.25 * 0.0043, 9)
  expect(waterHeatCapacity(celsius(149.999))).toBeCloseTo(4.3071, 4)
})

test('outside its table the heat capacity is that of the nearer end', () => {
  expect(waterHeatCapacity(celsius(-5))).toBe(4.2199)
  expect(waterHeatCapacity(celsius(200))).toBe(4.3071)
})

test.each([
  [40, 1.152],
  [50, 1.148],
  [70, 1.138],
])('the heat coefficient at %f °C is %f kWh/(m³·K)', (t, k) => {
  expect(heatCoefficient(celsius(t), celsius(t))).toBeCloseTo(k, 3)
})

test('at 95 °C it is within a fifth of a per cent of 1.123', () => {
  expect(Math.abs(heatCoefficient(celsius(95), celsius(95)) / 1.123 - 1)).toBeLessThan(0.002)
})
