import type { Celsius } from './quantities.ts'

const KELL = [999.83952, 16.945176, -7.9870401e-3, -46.170461e-6, 105.56302e-9, -280.54253e-12] as const
const KELL_BELOW = 16.87985e-3

/**
 * Density of water, kg/m³, at atmospheric pressure from 0 to 150 °C: G. S. Kell, "Density, thermal expansivity, and
 * compressibility of liquid water", J. Chem. Eng. Data 20 (1975) 97, within 0.01 kg/m³ up to 100 °C; within 0.1 % of the
 * liquid under the pressures of a heating network. Worked example: water-density.test.ts.
 */
export function waterDensity(temperature: Celsius): number {
  const t: number = temperature
  return KELL.reduceRight((sum, factor) => sum * t + factor, 0) / (1 + KELL_BELOW * t)
}
