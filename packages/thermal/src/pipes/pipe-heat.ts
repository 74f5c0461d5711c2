import { type Celsius, celsius, type KilogramPerSecond, type Metre } from '@isotherm/kernel/quantities'
import { MOST_FLOW_KG_S } from '../bounds.ts'
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
  const carried = Math.min(flow, MOST_FLOW_KG_S) * heatCapacity
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
  const wall = Math.PI * (innerDiameter + wallThickness) * wallThickness * 7850 * 480
  return water + wall
}
