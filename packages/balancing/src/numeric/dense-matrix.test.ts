import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addOuter, addScaled, dot, invertDefinite, multiply } from './dense-matrix.ts'

const of = (...values: number[]): Float64Array => Float64Array.from(values)
const round = (values: Float64Array): number[] => Array.from(values, (value) => Math.round(value * 1e9) / 1e9)

test('the inverse of [4 2; 2 3] is [3 −2; −2 4]/8, and the matrix does not change', () => {
  const matrix = of(4, 2, 2, 3)
  expect(round(invertDefinite(matrix, 2))).toEqual([0.375, -0.25, -0.25, 0.5])
  expect([...matrix]).toEqual([4, 2, 2, 3])
})

test('a symmetric positive definite matrix times its inverse changes no vector', () => {
  const vector = fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: 4, maxLength: 4 })
  fc.assert(
    fc.property(fc.array(vector, { minLength: 1, maxLength: 6 }), vector, (rows, values) => {
      // The unit matrix plus Σ x·xᵀ is positive definite.
      const matrix = of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
      for (const row of rows) addOuter(matrix, 1, Float64Array.from(row), Float64Array.from(row))
      const x = Float64Array.from(values)
      const back = multiply(matrix, multiply(invertDefinite(matrix, 4), x))
      back.forEach((value, i) => {
        expect(value).toBeCloseTo(values[i] ?? 0, 6)
      })
    }),
  )
})

test('products of matrices and vectors are sums by row', () => {
  expect([...multiply(of(1, 2, 3, 4), of(5, 6))]).toEqual([17, 39])
  expect(dot(of(1, 2, 3), of(4, 5, 6))).toBe(32)
})

test('an outer product and a scaled vector are added in place', () => {
  const matrix = of(1, 1, 1, 1)
  addOuter(matrix, 2, of(1, 2), of(3, 4))
  expect([...matrix]).toEqual([7, 9, 13, 17])
  const vector = of(1, 2)
  addScaled(vector, -2, of(3, 4))
  expect([...vector]).toEqual([-5, -6])
})
