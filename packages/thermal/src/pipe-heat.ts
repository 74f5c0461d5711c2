import { type Celsius, celsius, type KilogramPerSecond, type Metre } from '@isotherm/kernel/quantities'
import { WATER_HEAT_CAPACITY } from './water.ts'

/**
 * Temperature at the end of a pipe in steady flow: T_g + (T_in − T_g)·exp(−U'L/(ṁc)), U' in W/(m·K), c in J/(kg·K).
 * Standing water ends at ground temperature. Worked example: pipe-heat.test.ts.
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
  return celsius(ground + (inlet - ground) * Math.exp((-lossWMK * length) / (flow * heatCapacity)))
}

/** One cylindrical layer around a pipe, from the inside out: its outer radius, m, and its conductivity, W/(m·K). */
export interface PipeLayer {
  readonly outerRadius: number
  readonly conductivity: number
}

/**
 * Loss of a metre of pipe per kelvin through the layers around it, W/(m·K): U' = 2π/Σ ln(r_out/r_in)/λ. The films of
 * water inside and of soil outside are left out; soil can be given as one more layer. Worked example: pipe-heat.test.ts.
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

/** Temperature where flows meet, °C: Σṁ·T/Σṁ, flows in kg/s and none negative; `standing` where nothing flows. */
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

/** A pipe cut into equal cells for transport in time. Capacity and loss are of one cell: J/K and W/K. */
export interface PipeCells {
  readonly temperatureC: Float64Array
  readonly cellCapacity: number
  readonly cellLoss: number
}

/** Cells of a pipe at a start temperature; more cells keep a front sharper. */
export function createPipeCells(
  length: Metre,
  capacityJMK: number,
  lossWMK: number,
  cellCount: number,
  startC: number,
): PipeCells {
  return {
    temperatureC: new Float64Array(cellCount).fill(startC),
    cellCapacity: (capacityJMK * length) / cellCount,
    cellLoss: (lossWMK * length) / cellCount,
  }
}

/**
 * Moves water through the cells for a step and answers the outlet temperature in °C. Upwind in space and implicit in
 * time: stable for any step, never above the warmest or below the coldest of what surrounds it, and what the cells
 * gain is exactly inflow minus outflow minus loss, taken at the end of the step.
 */
export function stepPipe(
  cells: PipeCells,
  flow: KilogramPerSecond,
  inletC: number,
  groundC: number,
  stepS: number,
): number {
  const { temperatureC, cellCapacity, cellLoss } = cells
  const carried = (Math.max(0, flow) * WATER_HEAT_CAPACITY * stepS) / cellCapacity
  const lost = (cellLoss * stepS) / cellCapacity
  let upstream = inletC
  for (let i = 0; i < temperatureC.length; i++) {
    upstream = ((temperatureC[i] ?? 0) + carried * upstream + lost * groundC) / (1 + carried + lost)
    temperatureC[i] = upstream
  }
  return upstream
}
