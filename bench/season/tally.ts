import { WATER } from '../foreign/physics/water.ts'
import type { Plant } from '../foreign/plant/plant.ts'

const HOUR_S = 3600
const J_KWH = 3.6e6
/** Temperature of the water that replaces leakage, °C. */
const MAKE_UP_C = 10
/** Efficiency of the pump. */
const PUMP_EFFICIENCY = 0.65
const COLD_C = 18
const HOT_C = 22
/** Room temperatures are counted in classes of this width, K, from 0 °C. */
const CLASS_K = 0.02
const CLASSES = 2000

/** What a season gave and what it cost, from the truth of the plant. */
export interface Tally {
  /** What happens between these instants counts, s since the start of the plant. */
  readonly fromS: number
  readonly untilS: number
  heatKwh: number
  pumpKwh: number
  /** Flats × K × h below 18 °C and above 22 °C. */
  coldKh: number
  hotKh: number
  /** Number of room temperatures in each class. */
  readonly rooms: Float64Array
}

export const createTally = (fromS: number, untilS: number): Tally => ({
  fromS,
  untilS,
  heatKwh: 0,
  pumpKwh: 0,
  coldKh: 0,
  hotKh: 0,
  rooms: new Float64Array(CLASSES),
})

/** Heat that the station gives, W. */
export function stationHeatW({ spec, flows, stationSupplyC, stationReturnC }: Plant): number {
  const lost = spec.leaks.reduce((sum, { flowKgS }) => sum + flowKgS, 0)
  const back = (flows.totalKgS - lost) * stationReturnC + lost * MAKE_UP_C
  return WATER.heatJKgK * (flows.totalKgS * stationSupplyC - back)
}

const pumpW = ({ spec, flows }: Plant): number =>
  ((flows.headPa + spec.pump.exchanger * flows.totalKgS ** 2) * flows.totalKgS) /
  WATER.densityKgM3 /
  PUMP_EFFICIENCY

/** Adds the step that a plant has just made. */
export function addStep(tally: Tally, plant: Plant): void {
  const { stepS } = plant.weather
  if (plant.timeS - stepS < tally.fromS || plant.timeS > tally.untilS) return
  tally.heatKwh += (stationHeatW(plant) * stepS) / J_KWH
  tally.pumpKwh += (pumpW(plant) * stepS) / J_KWH
  const hours = stepS / HOUR_S
  for (const roomC of plant.temps.airC) {
    if (roomC < COLD_C) tally.coldKh += hours * (COLD_C - roomC)
    else if (roomC > HOT_C) tally.hotKh += hours * (roomC - HOT_C)
    const at = Math.min(CLASSES - 1, Math.max(0, Math.floor(roomC / CLASS_K)))
    tally.rooms[at] = (tally.rooms[at] ?? 0) + 1
  }
}

/** Room temperature below which a share of all rooms and hours is, °C. */
export function roomQuantile({ rooms }: Pick<Tally, 'rooms'>, share: number): number {
  const wanted = share * rooms.reduce((sum, count) => sum + count, 0)
  let below = 0
  for (const [at, count] of rooms.entries()) {
    if (below + count >= wanted && count > 0) return CLASS_K * (at + (wanted - below) / count)
    below += count
  }
  return Number.NaN
}
