import { expect, it } from 'vitest'
import { frictionFactorOf, haaland, pipeLossPa } from './friction.ts'

it('follows a worked example of Haaland’s formula', () => {
  // Re 100,000 and ε/D 0.005: (0.005/3.7)^1.11 = 6.5336e-4; 6.9/Re = 6.9e-5; sum 7.2236e-4; log₁₀ = −3.14125.
  // f = (1.8 · 3.14125)⁻² = 0.031279.
  expect(haaland(1e5, 0.005)).toBeCloseTo(0.031279, 6)
  // Colebrook gives 0.03131 for the same pipe.
  expect(Math.abs(haaland(1e5, 0.005) / 0.03131 - 1)).toBeLessThan(0.01)
})

it('is 64/Re in laminar flow and continuous up to turbulent flow', () => {
  expect(frictionFactorOf(1000, 0.001)).toBeCloseTo(0.064, 12)
  expect(frictionFactorOf(4000, 0.001)).toBeCloseTo(haaland(4000, 0.001), 12)
  expect(frictionFactorOf(2000, 0.001)).toBeCloseTo(0.032, 12)
})

it('gives the loss of a street pipe by hand', () => {
  // DN 100 (0.1071 m): A = 9.0088e-3 m². 5 kg/s: v = 0.56050 m/s, Re = 99,733; ε/D = 0.0032680.
  // (ε/3.7D)^1.11 = 4.0752e-4, 6.9/Re = 6.9184e-5: log₁₀ = −3.32175, f = 0.027972. 100 m with ζ 2:
  // (0.027972·100/0.1071 + 2) · 990.2/2 · 0.56050² = 4373 Pa.
  const bore = { lengthM: 100, innerM: 0.1071, roughnessM: 0.00035, zeta: 2 }
  expect(pipeLossPa(bore, 5) / 4373.5).toBeCloseTo(1, 4)
  expect(pipeLossPa(bore, -5)).toBe(-pipeLossPa(bore, 5))
})
