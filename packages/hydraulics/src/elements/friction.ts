/**
 * Darcy friction factor λ of a round pipe full of water, dimensionless. The flow is laminar below Re 2000 and turbulent above
 * Re 4000, by one of the laws. Between them a cubic has the value and slope of both ends (Dunlop, as in EPANET), so the
 * factor is smooth; `colebrook-stanet` has none.
 */

/**
 * `swamee-jain`: explicit, EPANET's. `colebrook`: the implicit law it approximates (within 3 %). `colebrook-stanet`: the same,
 * but turbulent from Re 2000 on, as STANET's PC. `nikuradse`: laminar and fully rough factor added up at any Re, which STANET
 * calls N and pandapipes nikuradse.
 */
export type FrictionLaw = 'swamee-jain' | 'colebrook' | 'colebrook-stanet' | 'nikuradse'

/** Reynolds numbers at which laminar flow ends and fully turbulent flow starts. */
const LAMINAR_LIMIT = 2000
export const TURBULENT_LIMIT = 4000
/** STANET's factor jumps at Re 2000. A straight line up to here replaces the jump, because a solver needs a continuous loss. */
const JUMP_END = 2100
/** Below this Reynolds number the factor stays 64/8, so that the resistance of still water is finite. */
export const CREEPING_LIMIT = 8
const TEN_BASE_FACTOR = -2 / Math.LN10
/** 0.25/log10² by natural logarithms. */
export const SWAMEE_JAIN_FACTOR = 0.25 * Math.LN10 ** 2

/** Swamee-Jain: 0.25 / log10(k/3.7D + 5.74/Re^0.9)². Valid for Re > 4000. */
export function swameeJain(reynolds: number, relativeRoughness: number): number {
  const root = TEN_BASE_FACTOR * Math.log(relativeRoughness / 3.7 + 5.74 / reynolds ** 0.9)
  return 1 / (root * root)
}

/** 1/√λ of Colebrook-White, −2·log10(2.51/(Re·√λ) + k/3.71D), by Newton from Swamee-Jain; three steps reach 1e-15. */
function colebrookRoot(reynolds: number, relativeRoughness: number): number {
  let root = 1 / Math.sqrt(swameeJain(reynolds, relativeRoughness))
  for (let step = 0; step < 3; step++) {
    const inner = (2.51 * root) / reynolds + relativeRoughness / 3.71
    const miss = root - TEN_BASE_FACTOR * Math.log(inner)
    root -= miss / (1 - (TEN_BASE_FACTOR * 2.51) / (reynolds * inner))
  }
  return root
}

const nikuradseRough = (relativeRoughness: number): number =>
  1 / (TEN_BASE_FACTOR * Math.log(relativeRoughness / 3.71)) ** 2

function turbulentFactor(law: FrictionLaw, reynolds: number, relativeRoughness: number): number {
  return law !== 'swamee-jain'
    ? 1 / colebrookRoot(reynolds, relativeRoughness) ** 2
    : swameeJain(reynolds, relativeRoughness)
}

/** dλ/dRe of the turbulent laws: λ = root⁻², so dλ = −2·root⁻³·d root. */
function turbulentSlope(law: FrictionLaw, reynolds: number, relativeRoughness: number): number {
  if (law !== 'swamee-jain') {
    const root = colebrookRoot(reynolds, relativeRoughness)
    const inner = (2.51 * root) / reynolds + relativeRoughness / 3.71
    const pull = (TEN_BASE_FACTOR * 2.51) / (reynolds * inner)
    return ((2 / root ** 2) * (pull / reynolds)) / (1 - pull)
  }
  const smooth = 5.74 / reynolds ** 0.9
  const inner = relativeRoughness / 3.7 + smooth
  const root = TEN_BASE_FACTOR * Math.log(inner)
  return ((1.8 / root ** 3) * TEN_BASE_FACTOR * smooth) / (inner * reynolds)
}

const isStanet = (law: FrictionLaw): boolean => law === 'colebrook-stanet'

const turbulentFrom = (law: FrictionLaw): number => (isStanet(law) ? JUMP_END : TURBULENT_LIMIT)

/** Slope of the line that replaces STANET's jump. */
const jumpSlope = (relativeRoughness: number): number =>
  (turbulentFactor('colebrook-stanet', JUMP_END, relativeRoughness) - 64 / LAMINAR_LIMIT) /
  (JUMP_END - LAMINAR_LIMIT)

/**
 * Dunlop's cubic for 2000 <= Re <= 4000, or its slope dλ/dRe: through 0.032 with the slope of 64/Re at 2000 and through
 * the turbulent law at 4000.
 */
function between(law: FrictionLaw, reynolds: number, relativeRoughness: number, isSlope: boolean): number {
  if (isStanet(law)) {
    const slope = jumpSlope(relativeRoughness)
    return isSlope ? slope : 64 / LAMINAR_LIMIT + slope * (reynolds - LAMINAR_LIMIT)
  }
  const fa = turbulentFactor(law, TURBULENT_LIMIT, relativeRoughness)
  const fb = 2 * (fa + LAMINAR_LIMIT * turbulentSlope(law, TURBULENT_LIMIT, relativeRoughness))
  const r = reynolds / LAMINAR_LIMIT
  const x2 = 0.128 - 17 * fa + 2.5 * fb
  const x3 = -0.128 + 13 * fa - 2 * fb
  const x4 = 0.032 - 3 * fa + 0.5 * fb
  if (isSlope) return (x2 + r * (2 * x3 + r * 3 * x4)) / LAMINAR_LIMIT
  return 7 * fa - fb + r * (x2 + r * (x3 + r * x4))
}

/**
 * Friction factor λ for a Reynolds number >= 0 and a relative roughness k/D.
 * Source: EPANET 2 users' manual, appendix D (Swamee-Jain, Dunlop); Colebrook 1939. Worked examples: friction.test.ts.
 */
export function frictionFactor(
  reynolds: number,
  relativeRoughness: number,
  law: FrictionLaw = 'swamee-jain',
): number {
  if (law === 'nikuradse') return 64 / Math.max(reynolds, CREEPING_LIMIT) + nikuradseRough(relativeRoughness)
  if (reynolds >= turbulentFrom(law)) return turbulentFactor(law, reynolds, relativeRoughness)
  if (reynolds > LAMINAR_LIMIT) return between(law, reynolds, relativeRoughness, false)
  return 64 / Math.max(reynolds, CREEPING_LIMIT)
}

/** dλ/dRe at a Reynolds number >= 0; 0 where the factor is held for still water. */
export function frictionSlope(
  reynolds: number,
  relativeRoughness: number,
  law: FrictionLaw = 'swamee-jain',
): number {
  if (law !== 'nikuradse' && reynolds > LAMINAR_LIMIT) {
    if (reynolds >= turbulentFrom(law)) return turbulentSlope(law, reynolds, relativeRoughness)
    return between(law, reynolds, relativeRoughness, true)
  }
  return reynolds < CREEPING_LIMIT ? 0 : -64 / reynolds ** 2
}

/** λ and its exponent d ln λ/d ln Re together, for solvers that need both; one logarithm suffices in turbulent flow. */
export interface Friction {
  factor: number
  exponent: number
}

/** Writes `frictionFactor` and `frictionSlope`·Re/λ into `friction`. */
export function writeFriction(
  friction: Friction,
  reynolds: number,
  relativeRoughness: number,
  law: FrictionLaw,
): void {
  if (law === 'swamee-jain' && reynolds >= TURBULENT_LIMIT) {
    const smooth = 5.74 / reynolds ** 0.9
    const inner = relativeRoughness / 3.7 + smooth
    const inverseLog = 1 / Math.log(inner)
    friction.factor = SWAMEE_JAIN_FACTOR * inverseLog * inverseLog
    friction.exponent = (1.8 * inverseLog * smooth) / inner
    return
  }
  friction.factor = frictionFactor(reynolds, relativeRoughness, law)
  friction.exponent = (frictionSlope(reynolds, relativeRoughness, law) * reynolds) / friction.factor
}
