import fc from 'fast-check'
import { expect, it } from 'vitest'
import { frictionFactor, fullyRoughFriction, swameeJain } from './friction.ts'

it('is 64/Re in laminar flow', () => {
  expect(frictionFactor(1000, 0.01)).toBeCloseTo(0.064, 12)
})

it('matches a Swamee-Jain value worked out by hand', () => {
  // k/D = 0.001, Re = 100 000: 0.001/3.7 + 5.74/31622.777 = 2.70270e-4 + 1.81515e-4 = 4.51785e-4
  // log10 = -3.345068, squared 11.189481, 0.25/11.189481 = 0.0223424
  expect(frictionFactor(100_000, 0.001)).toBeCloseTo(0.022342, 5)
})

it('has no jump where the laws meet', () => {
  for (const roughness of [1e-5, 1e-3, 2e-2]) {
    expect(frictionFactor(2000.0001, roughness)).toBeCloseTo(0.032, 5)
    expect(frictionFactor(3999.9999, roughness)).toBeCloseTo(swameeJain(4000, roughness), 7)
  }
})

it('stays finite when the water stands still', () => {
  expect(frictionFactor(0, 0.001)).toBe(8)
})

it('never lets the pressure loss fall when the flow rises', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 6, noNaN: true }),
      fc.double({ min: 1e-6, max: 0.03, noNaN: true }),
      (exponent, roughness) => {
        const reynolds = 10 ** exponent
        const faster = reynolds * 1.01
        expect(frictionFactor(faster, roughness) * faster ** 2).toBeGreaterThan(
          frictionFactor(reynolds, roughness) * reynolds ** 2,
        )
      },
    ),
  )
})

it('tends to the fully rough factor in very fast flow', () => {
  expect(frictionFactor(1e12, 0.002)).toBeCloseTo(fullyRoughFriction(0.002), 6)
})
