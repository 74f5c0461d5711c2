import { type Celsius, celsius, type KilogramPerSecond, type Metre } from '@isotherm/kernel/quantities'
import { MAX_FLOW_KG_S } from '../bounds.ts'
import { WATER_HEAT_CAPACITY } from '../water.ts'

/**
 * Temperature at the end of a pipe in steady flow: T_g + (T_in − T_g)·exp(−U'L/(ṁc)), U' in W/(m·K), c in J/(kg·K).
 * Without flow the result is the ground temperature. Worked example: pipe-heat.test.ts.
 */
export function outletTemperature(
  inlet: Celsius,
  ground: Celsius,
  lossWMK: number,
  length: Metre,
  flow: KilogramPerSecond,
  heatCapacity = WATER_HEAT_CAPACITY,
): Celsius {
  if (flow <= 0) return ground
  const carried = Math.min(flow, MAX_FLOW_KG_S) * heatCapacity
  return celsius(ground + (inlet - ground) * Math.exp((-lossWMK * length) / carried))
}

/** One cylindrical layer around a pipe, from the inside out: its outer radius, m, and its conductivity, W/(m·K). */
export interface PipeLayer {
  readonly outerRadius: number
  readonly conductivity: number
}

/**
 * Loss of a metre of pipe per kelvin through the layers around it, W/(m·K): U' = 2π/Σ ln(r_out/r_in)/λ. The
 * heat transfer of the water inside and the soil outside are neglected; soil can be given as one more layer. Worked example: pipe-heat.test.ts.
 */
export function layeredLoss(innerRadius: Metre, layers: readonly PipeLayer[]): number {
  let radius: number = innerRadius
  let resistance = 0
  for (const { outerRadius, conductivity } of layers) {
    if (!(outerRadius > radius && conductivity > 0))
      throw new RangeError(`a layer from ${radius} to ${outerRadius} m of ${conductivity} W/(m·K)`)
    resistance += Math.log(outerRadius / radius) / conductivity
    radius = outerRadius
  }
  return (2 * Math.PI) / resistance
}

/** Mixed temperature of flows, °C: Σṁ·T/Σṁ with flows >= 0 in kg/s; `standing` without flow. */
export function mixTemperature(
  flows: ArrayLike<number>,
  temperatures: ArrayLike<number>,
  standing: number,
): number {
  let carried = 0
  let total = 0
  for (let i = 0; i < flows.length; i++) {
    carried += (flows[i] ?? 0) * (temperatures[i] ?? 0)
    total += flows[i] ?? 0
  }
  return total > 0 ? carried / total : standing
}

/**
 * Heat capacity per metre of a filled pipe, J/(m·K): water plus, because it is not negligible in small pipes, the
 * steel wall (7850 kg/m³, 480 J/(kg·K)). Diameter and wall thickness in m.
 */
export function capacityPerMetre(innerDiameter: Metre, wallThickness: Metre, densityKgM3: number): number {
  const water = (Math.PI / 4) * innerDiameter ** 2 * densityKgM3 * WATER_HEAT_CAPACITY
  return water + wallCapacity(innerDiameter, wallThickness)
}

/** Heat capacity of the steel wall of a metre of pipe, J/(m·K). */
export const wallCapacity = (innerDiameter: Metre, wallThickness: Metre): number =>
  Math.PI * (innerDiameter + wallThickness) * wallThickness * 7850 * 480

/** Conductivity W/(m·K), viscosity Pa·s and density kg/m³ of water at 50 °C, the middle of a secondary network. */
const CONDUCTIVITY = 0.64
const VISCOSITY = 5.5e-4
const DENSITY = 988
/** Usual speed of water in mains, m/s. */
const TYPICAL_SPEED = 0.5
/** Nusselt number of laminar flow at constant heat flux. */
const LAMINAR_NUSSELT = 4.36

/** Heat transfer from water to the wall of a metre of pipe, W/(m·K): π·λ·Nu, Nu = 0.023·Re^0.8·Pr^0.4 (Dittus–Boelter). */
export function filmConductance(innerDiameter: Metre, speedMS: number): number {
  const reynolds = (DENSITY * speedMS * innerDiameter) / VISCOSITY
  const prandtl = (VISCOSITY * WATER_HEAT_CAPACITY) / CONDUCTIVITY
  return Math.PI * CONDUCTIVITY * Math.max(LAMINAR_NUSSELT, 0.023 * reynolds ** 0.8 * prandtl ** 0.4)
}

/**
 * Part of a pipe's capacity that is mixed at its outlet, J/K, so that a front is as wide as the film between water and wall
 * makes it: σṁc with σ² = 2L·C_w²/(ṁc·h), the variance of the delay, C_w J/(m·K) of the wall and h W/(m·K) of the film. At
 * most the capacity of the wall. It grows with the tenth root of the speed only, so one speed serves all flows.
 */
export function mixedCapacity(
  innerDiameter: Metre,
  wallJMK: number,
  length: Metre,
  speedMS = TYPICAL_SPEED,
): number {
  const carried = DENSITY * speedMS * (Math.PI / 4) * innerDiameter ** 2 * WATER_HEAT_CAPACITY
  const share = Math.sqrt((2 * carried) / (filmConductance(innerDiameter, speedMS) * length))
  return wallJMK * length * Math.min(1, share)
}
