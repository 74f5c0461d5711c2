import { copyTemps, type FlatTemps, startTemps, stepFlats } from '../physics/flats.ts'
import { type Branches, type NetworkFlows, solveNetwork } from '../physics/network.ts'
import { copyParcels, fillRun, type Parcels, pushThrough } from '../physics/pipe-run.ts'
import { valveResistance } from '../physics/valve-body.ts'
import type { Weather } from '../physics/weather.ts'
import { branchesOf } from './branches.ts'
import type { PlantSpec } from './plant-spec.ts'
import { headOf } from './pump-head.ts'

/** A motor valve: position of the motor and of the stem behind its dead travel, 0..1. */
export interface Motor {
  position: number
  stem: number
  /** A blocked stem does not move, whatever the motor does. */
  isBlocked: boolean
}

/** A running plant. Arrays are by building, junction or trench. Times are in s since the start of the plant. */
export interface Plant {
  readonly spec: PlantSpec
  readonly weather: Weather
  readonly motors: readonly Motor[]
  /** Resistance of each strainer, Pa/(kg/s)². */
  readonly strainers: Float64Array
  /** Shift of the station's heating curve, K. */
  supplyShiftK: number
  readonly temps: FlatTemps
  readonly supplyRuns: readonly Parcels[]
  readonly returnRuns: readonly Parcels[]
  readonly branches: Branches
  flows: NetworkFlows
  /** Head that the drive of the pump holds, Pa; undefined for a pump with one speed. */
  holdPa: number | undefined
  /** Whether a valve or the pump changed since the last solution. */
  isStale: boolean
  timeS: number
  /** Filtered outdoor temperature of the station's controller, °C. */
  outdoorMeanC: number
  stationSupplyC: number
  stationReturnC: number
  readonly supplyC: Float64Array
  readonly returnC: Float64Array
}

const START_C = 42
const OUTDOOR_FILTER_S = 3 * 3600
/** Swing of the station's temperature control: half its range, K, and its period. */
const SWING_K = 0.4
const SWING_S = 5400

function solve(plant: Plant): void {
  const { spec, branches, holdPa, flows } = plant
  plant.flows = solveNetwork(spec.trenches, branches, spec.leaks, headOf(spec.pump, holdPa), flows.branchKgS)
  plant.isStale = false
}

/** A plant at rest at the mean of the weather of its first day, with a shift of the heating curve, K. */
export function startPlant(spec: PlantSpec, weather: Weather, supplyShiftK = 0): Plant {
  const count = spec.buildings.length
  const branches = branchesOf(spec)
  const start = Float64Array.from(branches.resistance, (_, index) => spec.buildings[index]?.designKgS ?? 0.1)
  const plant: Plant = {
    spec,
    weather,
    branches,
    motors: spec.buildings.map(({ opening }) => ({ position: opening, stem: opening, isBlocked: false })),
    strainers: Float64Array.from(spec.buildings, ({ strainer }) => strainer),
    supplyShiftK,
    temps: startTemps(spec.flats.areaM2.length, 20, START_C),
    supplyRuns: spec.runs.map((run) => fillRun(run, START_C, 0)),
    returnRuns: spec.runs.map((run) => fillRun(run, START_C, 0)),
    flows: {
      supplyKgS: new Float64Array(0),
      returnKgS: new Float64Array(0),
      branchKgS: start,
      totalKgS: 0,
      headPa: 0,
    },
    holdPa: spec.pump.holdPa,
    isStale: true,
    timeS: 0,
    outdoorMeanC: 0,
    stationSupplyC: START_C,
    stationReturnC: START_C,
    supplyC: new Float64Array(count).fill(START_C),
    returnC: new Float64Array(count).fill(START_C),
  }
  warmUp(plant)
  return plant
}

const DAY_S = 86_400
/** Steps of 3 hours for 25 days, until the walls are at rest. */
const WARM_STEP_S = 10_800
const WARM_STEPS = 200

function warmUp(plant: Plant): void {
  const { outdoorC, sunWM2, stepS } = plant.weather
  const firstDay = Math.max(1, Math.round(DAY_S / stepS))
  const meanOf = (values: Float64Array): number =>
    values.subarray(0, firstDay).reduce((sum, value) => sum + value, 0) / Math.min(firstDay, values.length)
  const [outdoor, sun] = [meanOf(outdoorC), meanOf(sunWM2)]
  plant.outdoorMeanC = outdoor
  plant.timeS = -WARM_STEPS * WARM_STEP_S
  for (let step = 0; step < WARM_STEPS; step++) advance(plant, WARM_STEP_S, outdoor, sun)
  plant.timeS = 0
  // The water in the pipes entered before the start.
  for (const runs of [plant.supplyRuns, plant.returnRuns])
    for (const { entryS } of runs) for (const at of entryS.keys()) entryS[at] = Math.min(0, entryS[at] ?? 0)
}

/** Supply temperature of the station by the filtered outdoor temperature, °C. */
function supplyOf({ spec, outdoorMeanC, timeS, supplyShiftK }: Plant): number {
  const { coldC, mildC } = spec.heating
  const onLine = mildC + ((coldC - mildC) * (5 - outdoorMeanC)) / 14
  return onLine + supplyShiftK + SWING_K * Math.sin((2 * Math.PI * timeS) / SWING_S)
}

/** One step of water and rooms with constant weather. */
function advance(plant: Plant, stepS: number, outdoorC: number, sunWM2: number): void {
  if (plant.isStale) solve(plant)
  const { spec, flows, supplyRuns, returnRuns, temps, supplyC, returnC, branches } = plant
  plant.timeS += stepS
  plant.outdoorMeanC += (1 - Math.exp(-stepS / OUTDOOR_FILTER_S)) * (outdoorC - plant.outdoorMeanC)
  plant.stationSupplyC = supplyOf(plant)
  const { trenches, runs } = spec
  const endC = new Float64Array(trenches.length)
  for (const [t, { before }] of trenches.entries()) {
    const [run, parcels] = [runs[t], supplyRuns[t]]
    if (!run || !parcels) continue
    const inC = before < 0 ? plant.stationSupplyC : (endC[before] ?? 0)
    endC[t] = pushThrough(run, parcels, (flows.supplyKgS[t] ?? 0) * stepS, inC, plant.timeS)
  }
  const flowKgS = flows.branchKgS.subarray(0, spec.buildings.length)
  for (const [building, { junction }] of spec.buildings.entries()) supplyC[building] = endC[junction] ?? 0
  stepFlats(spec.flats, temps, { stepS, outdoorC, sunWM2, flowKgS, supplyC }, returnC)
  // Flow times temperature that arrives at each junction of the return, kg/s·°C.
  const arriving = new Float64Array(trenches.length)
  for (const [b, at] of branches.junction.entries())
    arriving[at] = (arriving[at] ?? 0) + (flows.branchKgS[b] ?? 0) * (returnC[b] ?? endC[at] ?? 0)
  for (let t = trenches.length - 1; t >= 0; t--) {
    const [run, parcels, flow] = [runs[t], returnRuns[t], flows.returnKgS[t] ?? 0]
    const before = trenches[t]?.before ?? -1
    if (!run || !parcels) continue
    const outC = pushThrough(
      run,
      parcels,
      flow * stepS,
      flow > 0 ? (arriving[t] ?? 0) / flow : 0,
      plant.timeS,
    )
    if (before >= 0) arriving[before] = (arriving[before] ?? 0) + flow * outC
    else plant.stationReturnC = outC
  }
}

/** Advances a plant by one step of its weather. */
export function stepPlant(plant: Plant): void {
  const { weather } = plant
  const at = Math.min(weather.outdoorC.length - 1, Math.round(plant.timeS / weather.stepS))
  advance(plant, weather.stepS, weather.outdoorC[at] ?? 0, weather.sunWM2[at] ?? 0)
}

/** Computes the resistance of a building's branch after a change of its valve or strainer. */
function updateResistance({ spec, branches, motors, strainers }: Plant, building: number): void {
  const [motor, own] = [motors[building], spec.buildings[building]]
  if (!motor || !own) return
  branches.resistance[building] =
    own.circuit + (strainers[building] ?? 0) + valveResistance(own.valve, motor.stem)
}

/** Moves a motor to a position, 0..1. The stem follows behind half of the dead travel, unless it is blocked. */
export function moveMotor(plant: Plant, building: number, position: number): void {
  const [motor, spec] = [plant.motors[building], plant.spec.buildings[building]]
  if (!motor || !spec) return
  motor.position = Math.min(1, Math.max(0, position))
  if (motor.isBlocked) return
  const half = spec.backlash / 2
  motor.stem = Math.min(motor.position + half, Math.max(motor.position - half, motor.stem))
  updateResistance(plant, building)
  plant.isStale = true
}

/** Clogs a strainer: its resistance grows by a factor. */
export function clogStrainer(plant: Plant, building: number, factor: number): void {
  plant.strainers[building] = factor * (plant.strainers[building] ?? 0)
  updateResistance(plant, building)
  plant.isStale = true
}

/** Blocks the stems of some buildings. */
export function blockMotors({ motors }: Plant, buildings: ReadonlySet<number>): void {
  for (const [building, motor] of motors.entries()) if (buildings.has(building)) motor.isBlocked = true
}

/** Shifts the station's heating curve, K. */
export function setSupplyShift(plant: Plant, shiftK: number): void {
  plant.supplyShiftK = shiftK
}

export function setHead(plant: Plant, holdPa: number): void {
  plant.holdPa = holdPa
  plant.isStale = true
}

/** A copy that continues on its own in the same weather. */
export const copyPlant = (plant: Plant): Plant => ({
  ...plant,
  motors: plant.motors.map((motor) => ({ ...motor })),
  strainers: plant.strainers.slice(),
  temps: copyTemps(plant.temps),
  supplyRuns: plant.supplyRuns.map(copyParcels),
  returnRuns: plant.returnRuns.map(copyParcels),
  branches: { junction: plant.branches.junction, resistance: plant.branches.resistance.slice() },
  supplyC: plant.supplyC.slice(),
  returnC: plant.returnC.slice(),
})
