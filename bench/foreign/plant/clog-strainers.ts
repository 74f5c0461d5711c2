import { solveNetwork } from '../physics/network.ts'
import { WATER } from '../physics/water.ts'
import { branchesOf } from './branches.ts'
import { FLATS_PER_BUILDING } from './build-flats.ts'
import type { PlantSpec } from './plant-spec.ts'
import { headOf } from './pump-head.ts'

/** State of a building behind a clogged strainer in the mean weather of a run, °C. */
const STARVED = { roomC: 13.5, returnC: 18.5, supplyC: 44, outdoorC: -3 } as const
/** Mean sun of day and night, W/m². */
const SUN_WM2 = 45
/** People in cold flats have added sections to their radiators. */
const ADDED_SECTIONS = 2

/** Flow at which the rooms of a building rest near 14 °C, kg/s. */
function starvedFlow({ flats }: PlantSpec, building: number): number {
  let heatW = 0
  for (let f = building * FLATS_PER_BUILDING; f < (building + 1) * FLATS_PER_BUILDING; f++) {
    const lossWK = (flats.airingWK[f] ?? 0) + (flats.wallWK[f] ?? 0)
    heatW +=
      lossWK * (STARVED.roomC - STARVED.outdoorC) - (flats.peopleW[f] ?? 0) - SUN_WM2 * (flats.sunM2[f] ?? 0)
  }
  return heatW / (WATER.heatJKgK * (STARVED.supplyC - STARVED.returnC))
}

/** Clogs the strainers of some buildings until their rooms are near 14 °C and their returns near or below 20 °C. */
export function clogStrainers(plant: PlantSpec, clogged: ReadonlySet<number>): PlantSpec {
  if (clogged.size === 0) return plant
  const { trenches, leaks, pump, flats } = plant
  const branches = branchesOf(plant)
  const start = Float64Array.from(branches.resistance, (_, index) => plant.buildings[index]?.designKgS ?? 0.1)
  const { branchKgS } = solveNetwork(trenches, branches, leaks, headOf(pump, pump.holdPa), start)
  const coefficient = flats.coefficient.map((value, f) =>
    clogged.has(Math.floor(f / FLATS_PER_BUILDING)) ? ADDED_SECTIONS * value : value,
  )
  const buildings = plant.buildings.map((building, index) => {
    if (!clogged.has(index)) return building
    const all = branches.resistance[index] ?? 0
    const headPa = all * (branchKgS[index] ?? 0) ** 2
    return { ...building, strainer: building.strainer + headPa / starvedFlow(plant, index) ** 2 - all }
  })
  return { ...plant, buildings, flats: { ...flats, coefficient } }
}
