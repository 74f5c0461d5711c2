import { type Celsius, celsius } from '@isotherm/kernel/quantities'
import { waterDensity } from '@isotherm/kernel/water-density'

/** Density kg/m³ and dynamic viscosity Pa·s of the water. */
export interface Fluid {
  readonly densityKgM3: number
  readonly viscosityPaS: number
}

/** Water at about 50 °C, the middle of a secondary network. */
export const WARM_WATER: Fluid = { densityKgM3: 988, viscosityPaS: 5.5e-4 }

/** Volume flow in m³/h, as meters show it, of a mass flow in kg/s of warm water. */
export const toM3H = (flowKgS: number): number => (3600 * flowKgS) / WARM_WATER.densityKgM3

/** Factor and exponent of each term of the viscosity, µPa·s over T/300 K. */
const VISCOSITY = [
  [280.68, -1.9],
  [511.45, -7.7],
  [61.131, -19.6],
  [0.45903, -40],
] as const

/**
 * Liquid water at 0 to 150 °C; a temperature outside counts as the nearest end. Viscosity: IAPWS SR6-08 for 0.1 MPa, valid up
 * to 110 °C, within 0.2 % beyond. Worked example: water.test.ts.
 */
export function waterAt(temperature: Celsius): Fluid {
  const t = Math.min(150, Math.max(0, temperature))
  const viscosity = VISCOSITY.reduce(
    (sum, [factor, exponent]) => sum + factor * ((t + 273.15) / 300) ** exponent,
    0,
  )
  return { densityKgM3: waterDensity(celsius(t)), viscosityPaS: viscosity * 1e-6 }
}
