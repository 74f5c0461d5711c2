import { sum } from '@isotherm/kernel/statistics'
import { plugHeat } from '@isotherm/thermal/pipes/plug-pipes'
import type { StationPlant } from './station-plant.ts'

/** Heat loss of supply and return pipes to the ground in the last step, W. */
export const pipeLoss = ({ supplyPipes, returnPipes }: StationPlant): number =>
  sum(supplyPipes.lostW) + sum(returnPipes.lostW)

/** Heat loss of the flats to the outside in the last step, W. */
export const heatLost = (plant: StationPlant): number => sum(plant.households.lostW)

/** Heat stored in pipes, emitters, air and walls relative to 0 °C, J. */
export function storedHeat({ supplyPipes, returnPipes, households }: StationPlant): number {
  let stored = 0
  for (let pipe = 0; pipe < supplyPipes.count; pipe++) {
    stored += plugHeat(supplyPipes, pipe) + plugHeat(returnPipes, pipe)
  }
  const { airC, massC, emitterC, airCapacity, massCapacity, emitterCapacity } = households
  for (let flat = 0; flat < households.count; flat++) {
    stored += (airC[flat] ?? 0) * (airCapacity[flat] ?? 0)
    stored += (massC[flat] ?? 0) * (massCapacity[flat] ?? 0)
    stored += (emitterC[flat] ?? 0) * (emitterCapacity[flat] ?? 0)
  }
  return stored
}
