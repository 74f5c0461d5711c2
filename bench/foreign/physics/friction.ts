import { WATER } from './water.ts'

/** Reynolds numbers between which the flow changes from laminar to turbulent. */
const LAMINAR = 2000
const TURBULENT = 4000

/**
 * Darcy friction factor in turbulent flow: 1/√f = −1.8·log₁₀((ε/3.7D)^1.11 + 6.9/Re). `roughness` is ε/D. Source:
 * S. E. Haaland, Journal of Fluids Engineering 105 (1983) 89. Worked example: friction.test.ts.
 */
export const haaland = (reynolds: number, roughness: number): number =>
  (-1.8 * Math.log10((roughness / 3.7) ** 1.11 + 6.9 / reynolds)) ** -2

/** Darcy friction factor at any flow: 64/Re below 2000, Haaland above 4000, linear in Re between. */
export function frictionFactorOf(reynolds: number, roughness: number): number {
  if (reynolds >= TURBULENT) return haaland(reynolds, roughness)
  const laminar = 64 / Math.max(1, Math.min(reynolds, LAMINAR))
  if (reynolds <= LAMINAR) return laminar
  const share = (reynolds - LAMINAR) / (TURBULENT - LAMINAR)
  return laminar + share * (haaland(TURBULENT, roughness) - laminar)
}

/** A straight pipe: m, m, m, and the sum of its local loss coefficients ζ. */
export interface Bore {
  readonly lengthM: number
  readonly innerM: number
  readonly roughnessM: number
  readonly zeta: number
}

/** Pressure loss of one pipe, Pa, at a flow, kg/s; it has the sign of the flow. */
export function pipeLossPa({ lengthM, innerM, roughnessM, zeta }: Bore, flowKgS: number): number {
  const area = (Math.PI / 4) * innerM ** 2
  const speed = Math.abs(flowKgS) / (WATER.densityKgM3 * area)
  const reynolds = (WATER.densityKgM3 * speed * innerM) / WATER.viscosityPaS
  const factor = frictionFactorOf(reynolds, roughnessM / innerM)
  const loss = ((factor * lengthM) / innerM + zeta) * 0.5 * WATER.densityKgM3 * speed ** 2
  return flowKgS < 0 ? -loss : loss
}
