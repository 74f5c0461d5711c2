import { toM3H } from '@isotherm/hydraulics/elements/water'
import { mean } from '@isotherm/kernel/statistics'
import type { Plant } from './plant.ts'
import { unitFlow } from './station-plant.ts'

/** Balance indices of a network. Standard deviations in K; flow ratios are actual over design flow. */
export interface Imbalance {
  readonly sigmaReturnK: number
  readonly sigmaRoomK: number
  readonly lowestFlowRatio: number
  readonly highestFlowRatio: number
  readonly shareUnder18: number
  readonly totalFlowM3H: number
}

function deviation(values: readonly number[]): number {
  const middle = mean(values)
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)))
}

/** Computes the balance indices of the whole plant from its true state. A pump house heats nothing. */
export function computeImbalance(plant: Plant): Imbalance {
  const stations = plant.stations.filter(({ spec }) => spec.heating !== undefined)
  const rooms = stations.flatMap((station) => Array.from(station.households.airC))
  const ratios = stations.flatMap((station) =>
    station.spec.units.map((unit, index) => unitFlow(station, index) / unit.designFlow),
  )
  const totalKgS = stations.reduce((sum, station) => sum + station.hydraulics.totalFlow, 0)
  return {
    sigmaReturnK: deviation(stations.flatMap((station) => Array.from(station.unitReturnC))),
    sigmaRoomK: deviation(rooms),
    lowestFlowRatio: ratios.reduce((least, ratio) => Math.min(least, ratio), Number.POSITIVE_INFINITY),
    highestFlowRatio: ratios.reduce((most, ratio) => Math.max(most, ratio), 0),
    shareUnder18: rooms.filter((room) => room < 18).length / Math.max(1, rooms.length),
    totalFlowM3H: toM3H(totalKgS),
  }
}
