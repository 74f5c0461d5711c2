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

/** Load of a building over a step: outside temperature °C, heat into the air and into the mass, W. */
export interface BuildingLoad {
  readonly outsideC: number
  readonly airHeatW: number
  readonly massHeatW: number
}

/** Steady heat loss of the whole building, W/K: windows, in parallel with the wall in series with its inner surface. */
export function steadyLoss(building: Building): number {
  const { airToOutside, airToMass, massToOutside } = building
  return airToOutside + (airToMass * massToOutside) / (airToMass + massToOutside)
}

/** Steady temperatures under a constant load, °C. */
export function steadyState(building: Building, load: BuildingLoad): BuildingState {
  const { airToOutside: ao, massToOutside: mo, airToMass: am } = building
  // (ao+am)·x − am·y = qa and −am·x + (mo+am)·y = qm, for x, y above the outside temperature.
  // The determinant (ao+am)(mo+am) − am², written without a difference of two large numbers.
  const determinant = ao * mo + am * (ao + mo)
  const air = ((mo + am) * load.airHeatW + am * load.massHeatW) / determinant
  const mass = ((ao + am) * load.massHeatW + am * load.airHeatW) / determinant
  return { airC: load.outsideC + air, massC: load.outsideC + mass }
}

/** Time constants of a building's two modes, s: `slow` for walls and air together, `fast` for the air alone. */
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

/** Time constants of an unheated building: −1 over each eigenvalue. Worked example: building.test.ts. */
export function timeConstants(building: Building): TimeConstants {
  const { middle, half } = findRates(building)
  // Divide the product of both rates by the fast one. A subtraction would lose digits if the rates are very different.
  const { airToOutside: ao, massToOutside: mo, airToMass: am, airCapacity, massCapacity } = building
  const product = (ao * mo + am * (ao + mo)) / airCapacity / massCapacity
  return { slowS: (half - middle) / product, fastS: 1 / (half - middle) }
}

/** The four numbers of exp(A·Δt): decay of deviations from the steady state over one step. */
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

/** Advances a building by the step of `decay` under a constant load. Writes `state`. */
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
