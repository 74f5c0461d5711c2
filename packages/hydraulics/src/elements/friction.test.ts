import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyNumber } from './even-numbers.testkit.ts'
import { type FrictionLaw, frictionFactor, frictionSlope, swameeJain, writeFriction } from './friction.ts'

const laws: readonly FrictionLaw[] = ['swamee-jain', 'colebrook', 'colebrook-stanet', 'nikuradse']
const anyReynolds = anyNumber(0, 8).map((exponent) => 10 ** exponent)
const anyRoughness = anyNumber(1e-6, 0.05)

it('is 64/Re in laminar flow', () => {
  expect(frictionFactor(1000, 0.01)).toBeCloseTo(0.064, 12)
})

it('matches a Swamee-Jain value worked out by hand', () => {
  // k/D = 0.001, Re = 100 000: 0.001/3.7 + 5.74/31622.777 = 2.70270e-4 + 1.81515e-4 = 4.51785e-4
  // log10 = -3.345068, squared 11.189481, 0.25/11.189481 = 0.0223424
  expect(frictionFactor(100_000, 0.001)).toBeCloseTo(0.022342, 5)
})

it('is continuous at the limits between the laws', () => {
  for (const roughness of [1e-5, 1e-3, 2e-2]) {
    expect(frictionFactor(2000.0001, roughness)).toBeCloseTo(0.032, 5)
    expect(frictionFactor(3999.9999, roughness)).toBeCloseTo(swameeJain(4000, roughness), 7)
  }
})

it('stays finite without flow', () => {
  expect(frictionFactor(0, 0.001)).toBe(8)
})

it('holds the factor of creeping flow below Re 8, where it has no slope', () => {
  for (const law of ['swamee-jain', 'colebrook', 'nikuradse'] as const) {
    for (const reynolds of [0, 3, 7.999]) {
      expect(frictionFactor(reynolds, 0.001, law)).toBe(frictionFactor(8, 0.001, law))
      expect(frictionSlope(reynolds, 0.001, law)).toBe(0)
    }
    // 64/Re² from there on.
    expect(frictionSlope(8, 0.001, law)).toBe(-1)
    expect(frictionSlope(16, 0.001, law)).toBe(-0.25)
  }
})

it('follows the cubic between the laws: λ 0.03362 at Re 3000 and k/D 0.001', () => {
  // The formulas of EPANET's manual, with λ(4000) = fa = 0.041695.
  const y2 = 0.001 / 3.7 + 5.74 / 4000 ** 0.9
  const y3 = -0.86859 * Math.log(y2)
  const fa = y3 ** -2
  const fb = fa * (2 - 0.00514215 / (y2 * y3))
  const r = 1.5
  const due =
    7 * fa -
    fb +
    r * (0.128 - 17 * fa + 2.5 * fb + r * (-0.128 + 13 * fa - 2 * fb + r * (0.032 - 3 * fa + 0.5 * fb)))
  expect(due).toBeCloseTo(0.03362, 5)
  expect(frictionFactor(3000, 0.001)).toBeCloseTo(due, 6)
})

it('solves Colebrook-White: λ of Re 100 000 and k/D 0.001 is 0.022165', () => {
  // √λ = 0.148881; 2.51/(1e5·0.148881) = 1.68591e-4, 0.001/3.71 = 2.69542e-4, together 4.38133e-4
  // −2·log10 = 6.71679 and 1/0.148881 = 6.71677
  const factor = frictionFactor(100_000, 0.001, 'colebrook')
  expect(factor).toBeCloseTo(0.022165, 6)
  expect(1 / Math.sqrt(factor)).toBeCloseTo(
    -2 * Math.log10(2.51 / (100_000 * Math.sqrt(factor)) + 0.001 / 3.71),
    10,
  )
})

it('is turbulent from Re 2000 on where STANET’s law is requested: λ 0.04441 at Re 3000 and k/D 0.001', () => {
  // 2.51·4.745312/3000 = 3.970244e-03, 0.001/3.71 = 2.69542e-4, together 4.239786e-03; −2·log10 = 4.745312, and 1/4.745312² = 0.044409
  expect(frictionFactor(3000, 0.001, 'colebrook-stanet')).toBeCloseTo(0.044409, 6)
  for (const reynolds of [2100, 3000, 3999]) {
    const root = 1 / Math.sqrt(frictionFactor(reynolds, 0.001, 'colebrook-stanet'))
    expect(root).toBeCloseTo(-2 * Math.log10((2.51 * root) / reynolds + 0.001 / 3.71), 12)
  }
  expect(frictionFactor(2000, 0.001, 'colebrook-stanet')).toBe(0.032)
  expect(frictionFactor(3000, 0.001, 'colebrook-stanet')).toBeGreaterThan(
    1.3 * frictionFactor(3000, 0.001, 'colebrook'),
  )
  expect(frictionFactor(5000, 0.001, 'colebrook-stanet')).toBe(frictionFactor(5000, 0.001, 'colebrook'))
})

it('solves Colebrook-White to 1e-12 for any turbulent Re and roughness', () => {
  const turbulent = anyNumber(Math.log10(4000), 8).map((exponent) => 10 ** exponent)
  fc.assert(
    fc.property(turbulent, anyRoughness, (reynolds, roughness) => {
      const root = 1 / Math.sqrt(frictionFactor(reynolds, roughness, 'colebrook'))
      const due = -2 * Math.log10((2.51 * root) / reynolds + roughness / 3.71)
      expect(Math.abs(root / due - 1)).toBeLessThan(1e-12)
    }),
  )
})

it('adds the laminar to the fully rough factor in the law of Nikuradse: 0.00064 + 0.019620 at k/D 0.001', () => {
  // 1/(2·log10(3710))² = 1/7.138748² = 0.0196226
  expect(frictionFactor(100_000, 0.001, 'nikuradse')).toBeCloseTo(0.00064 + 0.0196226, 7)
})

it('keeps Swamee-Jain within 3 % of Colebrook from Re 5000 and up to k/D 0.01', () => {
  const turbulent = anyNumber(Math.log10(5000), 8).map((exponent) => 10 ** exponent)
  const smoothToRough = anyNumber(1e-6, 0.01)
  fc.assert(
    fc.property(turbulent, smoothToRough, (reynolds, roughness) => {
      const exact = frictionFactor(reynolds, roughness, 'colebrook')
      expect(Math.abs(frictionFactor(reynolds, roughness) - exact) / exact).toBeLessThan(0.03)
    }),
  )
})

it.each(laws)('gives a pressure loss that never falls with rising flow: %s', (law) => {
  const loss = (reynolds: number, roughness: number) =>
    frictionFactor(reynolds, roughness, law) * reynolds ** 2
  fc.assert(
    fc.property(anyReynolds, anyRoughness, (reynolds, roughness) => {
      expect(loss(reynolds * 1.01, roughness)).toBeGreaterThan(loss(reynolds, roughness))
    }),
  )
})

it.each(laws)('computes the slope of the factor: %s', (law) => {
  fc.assert(
    fc.property(anyReynolds, anyRoughness, (exact, roughness) => {
      const reynolds = Math.max(10, exact)
      // Beside a limit the two sides of a difference quotient follow different laws.
      fc.pre([2000, 2100, 4000].every((limit) => Math.abs(reynolds - limit) > 1))
      const step = reynolds * 1e-5
      const [below, above] = [-step, step].map((by) => frictionFactor(reynolds + by, roughness, law))
      const slope = ((above ?? 0) - (below ?? 0)) / (2 * step)
      const scale = frictionFactor(reynolds, roughness, law) / reynolds
      expect(Math.abs(frictionSlope(reynolds, roughness, law) - slope) / scale).toBeLessThan(1e-5)
    }),
  )
})

it.each(laws)('writes the same factor and exponent as the separate functions: %s', (law) => {
  fc.assert(
    fc.property(anyReynolds, anyRoughness, (reynolds, roughness) => {
      const friction = { factor: 0, exponent: 0 }
      writeFriction(friction, reynolds, roughness, law)
      const factor = frictionFactor(reynolds, roughness, law)
      expect(Math.abs(friction.factor / factor - 1)).toBeLessThan(1e-13)
      const slope = frictionSlope(reynolds, roughness, law)
      const exponent = (slope * reynolds) / factor
      expect(Math.abs(friction.exponent - exponent)).toBeLessThanOrEqual(1e-12 * Math.abs(exponent))
    }),
  )
})
