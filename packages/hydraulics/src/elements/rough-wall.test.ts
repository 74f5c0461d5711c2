import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyNumber } from './even-numbers.testkit.ts'
import { frictionFactor, SWAMEE_JAIN_FACTOR } from './friction.ts'
import {
  MIN_ROUGH,
  roughLogarithm,
  roughSlope,
  toCell,
  toRoughLogarithm,
  toRoughScale,
} from './rough-wall.ts'

const anyT = anyNumber(Math.log2(MIN_ROUGH), 60).map((exponent) => 2 ** exponent)
const look = (t: number): number => roughLogarithm(t, toCell(t))

it('is ln(1 + t^-0.9) within 1e-12, and within 2e-11 where a wall counts as fully rough', () => {
  fc.assert(
    fc.property(anyT, (t) => {
      const bound = t < 2 ** 39 ? 1e-12 : 3e-11
      expect(Math.abs(look(t) - Math.log1p(t ** -0.9))).toBeLessThanOrEqual(bound)
    }),
    { numRuns: 5000 },
  )
})

/** Start of the table's last cell, from which on z counts as 0. */
const FULLY_ROUGH = 2 ** 39 * (1 + 63 / 64)
const anyNearlyRough = anyNumber(38, 41).map((exponent) => 2 ** exponent)

it('computes its slope by ln t within a hundredth', () => {
  fc.assert(
    fc.property(fc.oneof(anyT, anyNearlyRough), (t) => {
      const z = t ** -0.9
      const due = t < FULLY_ROUGH ? (-0.9 * z) / (1 + z) : 0
      expect(Math.abs(roughSlope(toCell(t)) - due)).toBeLessThanOrEqual(0.01 * z)
    }),
    { numRuns: 2000 },
  )
})

it('returns a number outside its range: without flow and for a smooth wall', () => {
  expect(look(0)).toSatisfy(Number.isFinite)
  expect(toRoughScale(0)).toBe(0)
})

it('reproduces Swamee-Jain’s λ for any rough wall and any turbulent Re', () => {
  const anyRoughness = anyNumber(-6, -1).map((exponent) => 10 ** exponent)
  const anyReynolds = anyNumber(3.61, 9).map((exponent) => 10 ** exponent)
  fc.assert(
    fc.property(anyReynolds, anyRoughness, (reynolds, roughness) => {
      const log = toRoughLogarithm(roughness) + look(reynolds * toRoughScale(roughness))
      expect(Math.abs(SWAMEE_JAIN_FACTOR / log ** 2 / frictionFactor(reynolds, roughness) - 1)).toBeLessThan(
        1e-12,
      )
    }),
    { numRuns: 2000 },
  )
})
