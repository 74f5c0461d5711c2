import fc from 'fast-check'
import { expect, it } from 'vitest'
import { logarithm, powerMinusNineTenths } from './friction-functions.ts'

const anyExponent = fc.double({ min: -15, max: 15, noNaN: true })

it('is the logarithm to the last digits, within its table and beyond', () => {
  fc.assert(
    fc.property(anyExponent, (exponent) => {
      const x = 10 ** exponent
      const exact = Math.log(x)
      expect(Math.abs(logarithm(x) - exact)).toBeLessThanOrEqual(2e-15 * Math.max(1, Math.abs(exact)))
    }),
    { numRuns: 2000 },
  )
})

it('is the power of −0.9 to the last digits, within its table and beyond', () => {
  fc.assert(
    fc.property(anyExponent, (exponent) => {
      const x = 10 ** exponent
      expect(Math.abs(powerMinusNineTenths(x) / x ** -0.9 - 1)).toBeLessThanOrEqual(4e-15)
    }),
    { numRuns: 2000 },
  )
})

it('has no jump where one cell of a table ends and the next begins', () => {
  for (let cell = 0; cell < 64; cell++) {
    const [border, turbulent] = [2 ** -9 * (1 + cell / 64), 2 ** 17 * (1 + cell / 64)]
    const [below, before] = [border * (1 - Number.EPSILON), turbulent * (1 - Number.EPSILON)]
    expect(Math.abs(logarithm(border) - logarithm(below))).toBeLessThan(2e-15 * 7)
    expect(powerMinusNineTenths(before) / powerMinusNineTenths(turbulent)).toBeCloseTo(1, 14)
  }
})

it('answers what has no logarithm or power as Math does', () => {
  expect([0, -1, Number.NaN, Number.POSITIVE_INFINITY].map(logarithm)).toEqual([
    Number.NEGATIVE_INFINITY,
    Number.NaN,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ])
  expect([0, Number.NaN, Number.POSITIVE_INFINITY].map(powerMinusNineTenths)).toEqual([
    Number.POSITIVE_INFINITY,
    Number.NaN,
    0,
  ])
})
