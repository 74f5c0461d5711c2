import fc from 'fast-check'
import { expect, it } from 'vitest'
import { logarithm, smoothTerm, TABLED_REYNOLDS, TABLED_ROUGHNESS } from './friction-functions.ts'

const between = (least: number, most: number) =>
  fc.double({ min: least, max: most, maxExcluded: true, noNaN: true }).map((exponent) => 2 ** exponent)

it('is the logarithm to the last digits from 2^-28 to 2', () => {
  fc.assert(
    fc.property(between(-28, 1), (x) => {
      const exact = Math.log(x)
      expect(Math.abs(logarithm(x) - exact)).toBeLessThanOrEqual(2e-15 * Math.max(1, Math.abs(exact)))
    }),
    { numRuns: 2000 },
  )
})

it('is the smooth wall’s term to the last digits of any tabled turbulent Re', () => {
  fc.assert(
    fc.property(between(11, Math.log2(TABLED_REYNOLDS)), (x) => {
      expect(Math.abs(smoothTerm(x) / (5.74 * x ** -0.9) - 1)).toBeLessThanOrEqual(4e-15)
    }),
    { numRuns: 2000 },
  )
})

it('reaches as far as what stands within Swamee-Jain’s logarithm: from the smoothest wall to the roughest', () => {
  const smoothest = smoothTerm(TABLED_REYNOLDS * (1 - Number.EPSILON))
  expect(smoothest).toBeGreaterThan(2 ** -28)
  expect(TABLED_ROUGHNESS / 3.7 + smoothTerm(4000)).toBeLessThan(2)
})

it('has no jump where one cell of a table ends and the next begins', () => {
  for (let cell = 0; cell < 64; cell++) {
    const [border, turbulent] = [2 ** -9 * (1 + cell / 64), 2 ** 17 * (1 + cell / 64)]
    const [below, before] = [border * (1 - Number.EPSILON), turbulent * (1 - Number.EPSILON)]
    expect(Math.abs(logarithm(border) - logarithm(below))).toBeLessThan(2e-15 * 7)
    expect(smoothTerm(before) / smoothTerm(turbulent)).toBeCloseTo(1, 14)
  }
})
