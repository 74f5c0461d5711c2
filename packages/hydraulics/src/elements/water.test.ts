import { celsius } from '@isotherm/kernel/quantities'
import { expect, it } from 'vitest'
import { toM3H, WARM_WATER, waterAt } from './water.ts'

it.each([
  // IAPWS-95 and IAPWS R12-08 at 101 325 Pa.
  [0, 999.84, 1.7916e-3],
  [20, 998.21, 1.0016e-3],
  [50, 988.04, 0.5465e-3],
  [80, 971.79, 0.3543e-3],
  [100, 958.35, 0.2817e-3],
])(
  'computes water of %s °C: %s kg/m³, %s Pa·s within 0.02 kg/m³ and 0.2 %%',
  (temperature, density, viscosity) => {
    const water = waterAt(celsius(temperature))
    expect(Math.abs(water.densityKgM3 - density)).toBeLessThan(0.02)
    expect(Math.abs(water.viscosityPaS / viscosity - 1)).toBeLessThan(0.002)
  },
)

it('gives the water of a secondary network about the properties at 50 °C', () => {
  const water = waterAt(celsius(50))
  expect(Math.abs(WARM_WATER.densityKgM3 / water.densityKgM3 - 1)).toBeLessThan(1e-3)
  expect(Math.abs(WARM_WATER.viscosityPaS / water.viscosityPaS - 1)).toBeLessThan(0.01)
})

it('uses the nearest end outside 0 to 150 °C', () => {
  expect(waterAt(celsius(-40))).toEqual(waterAt(celsius(0)))
  expect(waterAt(celsius(400))).toEqual(waterAt(celsius(150)))
})

it('shows 988 kg/h as 1 m³/h', () => {
  expect(toM3H(988 / 3600)).toBeCloseTo(1, 12)
})
