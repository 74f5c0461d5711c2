import { expect, test } from 'vitest'
import { estimateLinear } from './linear-estimate.ts'

const ONES = Float64Array.of(1, 1, 1, 1)
const wide = { mean: 0, sigma: 1e6 }

test('with a very wide prior the most likely law is the least-squares fit', () => {
  // y = 1 + 2x, except for ±0.1 that cancel.
  const y = Float64Array.of(1.1, 2.9, 4.9, 7.1)
  const { coefficients, squares } = estimateLinear(y, [ONES, Float64Array.of(0, 1, 2, 3)], [wide, wide], 0.1)
  expect(coefficients[0]).toBeCloseTo(1, 9)
  expect(coefficients[1]).toBeCloseTo(2, 9)
  expect(squares).toBeCloseTo(0.04, 9)
})

test('one coefficient lies between data and prior by their weights, and the evidence is the density of the data', () => {
  const y = Float64Array.of(3)
  const { coefficients, logEvidence } = estimateLinear(y, [Float64Array.of(1)], [{ mean: 1, sigma: 2 }], 1)
  expect(coefficients[0]).toBeCloseTo((3 / 1 + 1 / 4) / (1 + 1 / 4), 12)
  // y is normal around 1 with variance 1 + 4; the factor √2π is omitted.
  expect(logEvidence).toBeCloseTo(-((3 - 1) ** 2) / (2 * 5) - Math.log(5) / 2, 12)
})
