import { expect, test } from 'vitest'
import { believeLinear } from './linear-estimate.ts'

const ONES = Float64Array.of(1, 1, 1, 1)
const wide = { mean: 0, sigma: 1e6 }

test('without any belief the most likely law is that of least squares', () => {
  // y = 1 + 2x, but for ±0.1 that cancel.
  const y = Float64Array.of(1.1, 2.9, 4.9, 7.1)
  const { coefficients, squares } = believeLinear(y, [ONES, Float64Array.of(0, 1, 2, 3)], [wide, wide], 0.1)
  expect(coefficients[0]).toBeCloseTo(1, 9)
  expect(coefficients[1]).toBeCloseTo(2, 9)
  expect(squares).toBeCloseTo(0.04, 9)
})

test('one coefficient lies between data and belief by their weights, and evidence is the density of the data', () => {
  const y = Float64Array.of(3)
  const { coefficients, logEvidence } = believeLinear(y, [Float64Array.of(1)], [{ mean: 1, sigma: 2 }], 1)
  expect(coefficients[0]).toBeCloseTo((3 / 1 + 1 / 4) / (1 + 1 / 4), 12)
  // y is normal about 1 with variance 1 + 4; the factor √2π is left out.
  expect(logEvidence).toBeCloseTo(-((3 - 1) ** 2) / (2 * 5) - Math.log(5) / 2, 12)
})
