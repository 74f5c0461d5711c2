import type { KilogramPerSecond, Metre } from '@isotherm/kernel/quantities'
import { WATER_HEAT_CAPACITY } from '../water.ts'

// The other usual pipe model (cells), for comparison with the parcels of plug-pipes.ts: ADR 36.

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
 * Moves water through the cells for a step and returns the outlet temperature in °C. Upwind in space and implicit in time:
 * stable for any step, and always between the coldest and the warmest surrounding temperature. The heat gain of the cells
 * is exactly inflow minus outflow minus loss at the end of the step.
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
