/**
 * Darcy friction factor of a round pipe full of water, as EPANET computes it: laminar below Re 2000, Swamee-Jain
 * above Re 4000, Dunlop's cubic between, so that the factor has no jump. Dimensionless in and out.
 */

/** Reynolds numbers between which flow is neither laminar nor fully turbulent. */
export const LAMINAR_LIMIT = 2000
export const TURBULENT_LIMIT = 4000
/** Below this Reynolds number the factor is held at 64/8, which keeps the resistance of still water finite. */
const CREEPING_LIMIT = 8
const TEN_BASE_FACTOR = -2 / Math.LN10
const TURBULENT_TERM_AT_LIMIT = 5.74 / TURBULENT_LIMIT ** 0.9

/** Swamee-Jain: 0.25 / log10(k/3.7D + 5.74/Re^0.9)². Meant for Re > 4000. */
export function swameeJain(reynolds: number, relativeRoughness: number): number {
  const root = TEN_BASE_FACTOR * Math.log(relativeRoughness / 3.7 + 5.74 / reynolds ** 0.9)
  return 1 / (root * root)
}

/** Dunlop's cubic through value and slope of both neighbours, for 2000 <= Re <= 4000. */
function dunlop(reynolds: number, relativeRoughness: number): number {
  const y2 = relativeRoughness / 3.7 + TURBULENT_TERM_AT_LIMIT
  const y3 = TEN_BASE_FACTOR * Math.log(y2)
  const fa = 1 / (y3 * y3)
  const fb = (2 + (1.8 * TEN_BASE_FACTOR * TURBULENT_TERM_AT_LIMIT) / (y2 * y3)) * fa
  const r = reynolds / LAMINAR_LIMIT
  const x1 = 7 * fa - fb
  const x2 = 0.128 - 17 * fa + 2.5 * fb
  const x3 = -0.128 + 13 * fa - 2 * fb
  const x4 = 0.032 - 3 * fa + 0.5 * fb
  return x1 + r * (x2 + r * (x3 + r * x4))
}

/**
 * Friction factor λ for a Reynolds number >= 0 and a relative roughness k/D.
 * Source: EPANET 2 users' manual, appendix D (Swamee-Jain, Dunlop). Worked example: friction.test.ts.
 */
export function frictionFactor(reynolds: number, relativeRoughness: number): number {
  if (reynolds >= TURBULENT_LIMIT) return swameeJain(reynolds, relativeRoughness)
  if (reynolds > LAMINAR_LIMIT) return dunlop(reynolds, relativeRoughness)
  return 64 / Math.max(reynolds, CREEPING_LIMIT)
}

/** Friction factor that a very fast flow tends to; a good first guess. */
export function fullyRoughFriction(relativeRoughness: number): number {
  const root = TEN_BASE_FACTOR * Math.log(relativeRoughness / 3.7 + 1e-9)
  return 1 / (root * root)
}
