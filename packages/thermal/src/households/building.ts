/**
 * A household or storey as two heat stores: the air with its furniture, and the mass of walls and slabs.
 * Conductances W/K, capacities J/K: air to outside (windows, air change), mass to outside (walls), air to mass.
 */
export interface Building {
  readonly airToOutside: number
  readonly massToOutside: number
  readonly airToMass: number
  readonly airCapacity: number
  readonly massCapacity: number
}

/** Temperatures of both stores, °C. */
export interface BuildingState {
  airC: number
  massC: number
}

/** What acts on a building over a step: outside temperature °C, heat into the air and into the mass, W. */
export interface BuildingLoad {
  readonly outsideC: number
  readonly airHeatW: number
  readonly massHeatW: number
}

/** Steady loss of the whole building per kelvin, W/K: the windows beside the wall path in series with its inner side. */
export function steadyLoss(building: Building): number {
  const { airToOutside, airToMass, massToOutside } = building
  return airToOutside + (airToMass * massToOutside) / (airToMass + massToOutside)
}

/** Temperatures that a constant load leads to in the end, °C. */
export function steadyState(building: Building, load: BuildingLoad): BuildingState {
  const { airToOutside: ao, massToOutside: mo, airToMass: am } = building
  // (ao+am)·x − am·y = qa and −am·x + (mo+am)·y = qm, for x, y above the outside temperature.
  // Their determinant, (ao+am)(mo+am) − am², without the difference of two large numbers.
  const determinant = ao * mo + am * (ao + mo)
  const air = ((mo + am) * load.airHeatW + am * load.massHeatW) / determinant
  const mass = ((ao + am) * load.massHeatW + am * load.airHeatW) / determinant
  return { airC: load.outsideC + air, massC: load.outsideC + mass }
}

/** Time constants of a building's two modes, s: how fast walls and air together cool, and how fast air alone follows. */
export interface TimeConstants {
  readonly slowS: number
  readonly fastS: number
}

/** Rates of both modes, 1/s, negative: the middle of the two eigenvalues of A and half their distance. */
function findRates(building: Building): { readonly middle: number; readonly half: number } {
  const { airToOutside, massToOutside, airToMass, airCapacity, massCapacity } = building
  const air = -(airToOutside + airToMass) / airCapacity
  const mass = -(massToOutside + airToMass) / massCapacity
  const coupling = (airToMass / airCapacity) * (airToMass / massCapacity)
  return { middle: (air + mass) / 2, half: Math.sqrt(((air - mass) / 2) ** 2 + coupling) }
}

/** Time constants of a building left to itself: −1 over each eigenvalue. Worked example: building.test.ts. */
export function timeConstants(building: Building): TimeConstants {
  const { middle, half } = findRates(building)
  // The slow rate as product over fast one: their difference would lose digits where they lie far apart.
  const { airToOutside: ao, massToOutside: mo, airToMass: am, airCapacity, massCapacity } = building
  const product = (ao * mo + am * (ao + mo)) / airCapacity / massCapacity
  return { slowS: (half - middle) / product, fastS: 1 / (half - middle) }
}

/** The four numbers of exp(A·Δt): how deviations from the steady state die away over one step. */
export interface BuildingDecay {
  readonly airToAir: number
  readonly massToAir: number
  readonly airToMass: number
  readonly massToMass: number
}

/**
 * exp(A·Δt) of the two coupled stores, in closed form: both eigenvalues are real and negative, so the step is exact
 * and stable for any Δt >= 0 in s. Compute it once per building when Δt stays the same.
 * Source: docs/domain/formulas.md, building; worked example: building.test.ts.
 */
export function computeDecay(building: Building, stepS: number): BuildingDecay {
  const { airToOutside, massToOutside, airToMass, airCapacity, massCapacity } = building
  const a = -(airToOutside + airToMass) / airCapacity
  const b = airToMass / airCapacity
  const c = airToMass / massCapacity
  const d = -(massToOutside + airToMass) / massCapacity
  const { middle, half } = findRates(building)
  const slow = Math.exp((middle + half) * stepS)
  const fast = Math.exp((middle - half) * stepS)
  const even = (slow + fast) / 2
  const odd = half > 0 ? (slow - fast) / (2 * half) : stepS * slow
  return {
    airToAir: even + odd * (a - middle),
    massToAir: odd * b,
    airToMass: odd * c,
    massToMass: even + odd * (d - middle),
  }
}

/** Moves a building on by the step that `decay` was computed for, with the load constant over it. Writes `state`. */
export function stepBuilding(
  building: Building,
  decay: BuildingDecay,
  load: BuildingLoad,
  state: BuildingState,
): void {
  const end = steadyState(building, load)
  const air = state.airC - end.airC
  const mass = state.massC - end.massC
  state.airC = end.airC + decay.airToAir * air + decay.massToAir * mass
  state.massC = end.massC + decay.airToMass * air + decay.massToMass * mass
}
