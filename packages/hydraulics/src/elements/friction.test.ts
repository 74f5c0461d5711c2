import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type FrictionLaw, frictionFactor, frictionSlope, swameeJain, writeFriction } from './friction.ts'

const laws: readonly FrictionLaw[] = ['swamee-jain', 'colebrook', 'nikuradse']
const anyReynolds = fc.double({ min: 0, max: 8, noNaN: true }).map((exponent) => 10 ** exponent)
const anyRoughness = fc.double({ min: 1e-6, max: 0.05, noNaN: true })

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

it('adds the laminar to the fully rough factor in the law of Nikuradse: 0.00064 + 0.019620 at k/D 0.001', () => {
  // 1/(2·log10(3710))² = 1/7.138748² = 0.0196226
  expect(frictionFactor(100_000, 0.001, 'nikuradse')).toBeCloseTo(0.00064 + 0.0196226, 7)
})

it('keeps Swamee-Jain within 3 % of Colebrook from Re 5000 and up to k/D 0.01', () => {
  const turbulent = fc
    .double({ min: Math.log10(5000), max: 8, noNaN: true })
    .map((exponent) => 10 ** exponent)
  const smoothToRough = fc.double({ min: 1e-6, max: 0.01, noNaN: true })
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
      fc.pre([2000, 4000].every((limit) => Math.abs(reynolds - limit) > 1))
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
