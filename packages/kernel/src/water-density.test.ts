import { expect, test } from 'vitest'
import { celsius } from './quantities.ts'
import { waterDensity } from './water-density.ts'

test.each([
  [4, 999.97],
  [25, 997.05],
  [50, 988.03],
  [80, 971.8],
  [100, 958.36],
])('water of %f °C weighs %f kg/m³', (t, density) => {
  expect(waterDensity(celsius(t))).toBeCloseTo(density, 1)
})
