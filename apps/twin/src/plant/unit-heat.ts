import { celsius, kilogramPerSecond, metre } from '@isotherm/kernel/quantities'
import {
  type BuildingDecay,
  type BuildingState,
  computeDecay,
  stepBuilding,
} from '@isotherm/thermal/building'
import { createPipeCells, type PipeCells, stepPipe } from '@isotherm/thermal/pipe-heat'
import { returnTemperature } from '@isotherm/thermal/radiator'
import { WATER_HEAT_CAPACITY } from '@isotherm/thermal/water'
import type { HouseholdSpec, UnitSpec } from '../scenarios/scenario.ts'

/** Water and metal of radiators and risers, J/(m²·K) of floor: what makes the return follow a valve only slowly. */
const EMITTER_CAPACITY_J_M2_K = 4000
const EMITTER_CELLS = 2

/** One flat as it is now. */
interface Household {
  readonly spec: HouseholdSpec
  readonly state: BuildingState
  decay: BuildingDecay
}

/** The heat side of a unit: its flats and the water in its risers. */
export interface UnitHeat {
  readonly households: readonly Household[]
  readonly emitterWater: PipeCells
  /** Temperature at the unit's return, °C. */
  returnC: number
  /** Heat that the flats took during the last step, W. */
  heatW: number
  stepS: number
}

export interface Surroundings {
  readonly outdoorC: number
  /** W/m². */
  readonly gainsWM2: number
}

function wallTemperature({ building }: HouseholdSpec, roomC: number, outdoorC: number): number {
  const { airToMass, massToOutside } = building
  return outdoorC + ((roomC - outdoorC) * airToMass) / (airToMass + massToOutside)
}

/** A unit with every flat at `roomC` and walls as they would be if that had always been so at `outdoorC`. */
export function createUnitHeat(spec: UnitSpec, roomC: number, outdoorC: number, returnC: number): UnitHeat {
  const areaM2 = spec.households.reduce((sum, flat) => sum + flat.areaM2, 0)
  return {
    households: spec.households.map((flat) => ({
      spec: flat,
      state: { airC: roomC, massC: wallTemperature(flat, roomC, outdoorC) },
      decay: computeDecay(flat.building, 0),
    })),
    emitterWater: createPipeCells(metre(1), EMITTER_CAPACITY_J_M2_K * areaM2, 0, EMITTER_CELLS, returnC),
    returnC,
    heatW: 0,
    stepS: 0,
  }
}

/**
 * Moves a unit's flats on by a step with water of `supplyC` flowing at `flowKgS`. Radiators are taken as steady within
 * the step, their water as well-mixed cells behind them, so that what the network loses is what flats and cells gain.
 */
export function stepUnit(
  unit: UnitHeat,
  flowKgS: number,
  supplyC: number,
  around: Surroundings,
  stepS: number,
): void {
  let carried = 0
  let heat = 0
  for (const flat of unit.households) {
    const { spec, state } = flat
    const flow = kilogramPerSecond(flowKgS * spec.flowShare)
    const back = returnTemperature(spec.radiator, flow, celsius(supplyC), celsius(state.airC))
    const given = flow * WATER_HEAT_CAPACITY * (supplyC - back)
    carried += spec.flowShare * back
    heat += given
    if (unit.stepS !== stepS) flat.decay = computeDecay(spec.building, stepS)
    const load = {
      outsideC: around.outdoorC,
      airHeatW: given + around.gainsWM2 * spec.gainFactor * spec.areaM2,
      massHeatW: 0,
    }
    stepBuilding(spec.building, flat.decay, load, state)
  }
  unit.stepS = stepS
  unit.heatW = heat
  unit.returnC = stepPipe(unit.emitterWater, kilogramPerSecond(flowKgS), carried, 0, stepS)
}
