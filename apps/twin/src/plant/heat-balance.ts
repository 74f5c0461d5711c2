import { GROUND_C, type StationPlant } from './station-plant.ts'

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0)

/** What the pipes lose to the ground now, W: both directions. */
export function pipeLoss(plant: StationPlant): number {
  let loss = 0
  for (const cells of [...plant.supplyCells, ...plant.returnCells]) {
    for (const temperature of cells.temperatureC) loss += cells.cellLoss * (temperature - GROUND_C)
  }
  return loss
}

/** What the flats took from the water during the last step, W. */
export const heatTaken = (plant: StationPlant): number => sum(plant.households.takenW)

/** What went from the flats outside during the last step, W. */
export const heatLost = (plant: StationPlant): number => sum(plant.households.lostW)

/** Heat stored in pipes, emitters, air and walls relative to 0 °C, J. */
export function storedHeat({ supplyCells, returnCells, households }: StationPlant): number {
  let stored = 0
  for (const cells of [...supplyCells, ...returnCells]) {
    for (const temperature of cells.temperatureC) stored += cells.cellCapacity * temperature
  }
  const { airC, massC, emitterC, airCapacity, massCapacity, emitterCapacity } = households
  for (let flat = 0; flat < households.count; flat++) {
    stored += (airC[flat] ?? 0) * (airCapacity[flat] ?? 0)
    stored += (massC[flat] ?? 0) * (massCapacity[flat] ?? 0)
    stored += (emitterC[flat] ?? 0) * (emitterCapacity[flat] ?? 0)
  }
  return stored
}
