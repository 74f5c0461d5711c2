import { WARM_WATER } from '@isotherm/hydraulics/tree-network'
import type { Plant } from './plant.ts'

/** How far a network is from balance. Standard deviations in K; flow ratios are actual over design flow. */
export interface Imbalance {
  readonly sigmaReturnK: number
  readonly sigmaRoomK: number
  readonly lowestFlowRatio: number
  readonly highestFlowRatio: number
  readonly shareUnder18: number
  readonly totalFlowM3H: number
}

function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
}

/** Balance indices of the whole plant, from its true state. */
export function computeImbalance(plant: Plant): Imbalance {
  const units = plant.stations.flatMap((station) => station.units)
  const rooms = units.flatMap((unit) => unit.households.map((flat) => flat.state.airC))
  const ratios = plant.stations.flatMap((station) =>
    station.spec.units.map((unit, index) => (station.hydraulics.circuitFlow[index] ?? 0) / unit.designFlow),
  )
  const totalKgS = plant.stations.reduce((sum, station) => sum + station.hydraulics.totalFlow, 0)
  return {
    sigmaReturnK: deviation(units.map((unit) => unit.returnC)),
    sigmaRoomK: deviation(rooms),
    lowestFlowRatio: Math.min(...ratios),
    highestFlowRatio: Math.max(...ratios),
    shareUnder18: rooms.filter((room) => room < 18).length / rooms.length,
    totalFlowM3H: (totalKgS * 3600) / WARM_WATER.densityKgM3,
  }
}
