import { pumpHead, pumpPower } from '@isotherm/hydraulics/elements/pump'
import { toM3H, WARM_WATER } from '@isotherm/hydraulics/elements/water'
import { createTreeState } from '@isotherm/hydraulics/tree/solve-tree'
import { createTreeNetwork } from '@isotherm/hydraulics/tree/tree-network'
import { type Celsius, celsius, kilogramPerSecond, type OpeningRatio } from '@isotherm/kernel/quantities'
import type { Households } from '@isotherm/thermal/households/households'
import { stepHouseholds } from '@isotherm/thermal/households/step-households'
import { capacityPerMetre, mixedCapacity, wallCapacity } from '@isotherm/thermal/pipes/pipe-heat'
import { createPlugPipes, type PlugPipes } from '@isotherm/thermal/pipes/plug-pipes'
import { curvePoint } from '@isotherm/thermal/station/weather-compensation'
import { WATER_HEAT_CAPACITY } from '@isotherm/thermal/water'
import type { StationSpec } from '../scenarios/scenario.ts'
import { carryReturn, carrySupply } from './carry-water.ts'
import { stepSource } from './heat-source.ts'
import { createLoopMains } from './loop-mains.ts'
import { type Mains, treeMains } from './mains.ts'
import { draughtLoss, gainOf, peopleGain, windowLoss } from './occupants.ts'
import { createCircuitFaults } from './plant-faults.ts'
import { createSoil, type Soil, stepSoil } from './soil.ts'
import { type StationFlows, solveFlows } from './station-flows.ts'
import { createStationHouseholds, firstFlats } from './unit-households.ts'
import type { Sky } from './weather.ts'

/** Maximum number of parcels of water per pipe; more parcels keep temperature fronts sharper. */
const PARCELS = 16
/** Water from a well, for irrigation. */
const WELL_C = celsius(14)
const PUMP_EFFICIENCY = 0.62
const START_ROOM_C = 20.5

/** Present state of a station's network. Arrays have the spec's order of pipes and units. */
export interface StationPlant extends StationFlows {
  /** All flats in the order of the units; those of unit i start at `firstFlat[i]` and end before `firstFlat[i + 1]`. */
  readonly households: Households
  readonly firstFlat: Int32Array
  readonly flowShare: Float64Array
  readonly mains: Mains
  readonly supplyPipes: PlugPipes
  readonly returnPipes: PlugPipes
  /** Mean temperature at the node of each pipe during the last step, °C; slot `pipeCount` is the station. */
  readonly supplyAtNode: Float64Array
  readonly returnAtNode: Float64Array
  /** Return temperature of each unit's circuit, before a bypass mixes in, °C. */
  readonly unitReturnC: Float64Array
  /** Soil of a pump house's area. */
  readonly soil: Soil | undefined
  supplyC: number
  /** Offset that the controller adds to its heating curve, K; the supply temperature follows. */
  supplyOffsetK: number
  /** Flow of the primary side, and whether it was too low. */
  primaryKgS: number
  isShort: boolean
  outdoorC: number
  /** Weather of the last step; undefined before the first one since the start. */
  sky: Sky | undefined
  /** Heat of the exchanger in the last step, and net gain from people, sun, windows and wind, W. */
  heatW: number
  gainW: number
  isValvesMoved: boolean
}

/** Thermal data of all pipes: those of the tree, then those of loops. */
function layPipes({ name, pipes, pipeHeat, loops }: StationSpec) {
  return [
    ...pipes.map((pipe, index) => {
      const heat = pipeHeat[index]
      if (heat === undefined) throw new Error(`${name}: pipe ${index} has no heat side`)
      return { ...pipe, heat }
    }),
    ...loops.map(({ pipe, heat }) => ({ ...pipe, heat })),
  ]
}

export function createStationPlant(spec: StationSpec, outdoorC: number): StationPlant {
  const outcome = createTreeNetwork(
    spec.pipes,
    spec.units.map((unit) => ({ node: unit.node, resistance: unit.circuit })),
    WARM_WATER,
  )
  if (outcome.kind !== 'tree') throw new Error(`${spec.name}: the pipes are no tree (${outcome.kind})`)
  const { network } = outcome
  const { heating } = spec
  const start = heating ? curvePoint(heating.curve, celsius(outdoorC)) : { supply: WELL_C, back: WELL_C }
  const thermalPipes = layPipes(spec)
  const fill = (startC: Celsius): PlugPipes => {
    const pipes = thermalPipes.map(({ innerDiameter, length, heat }) => {
      const capacity = capacityPerMetre(innerDiameter, heat.wall, WARM_WATER.densityKgM3)
      const mixedJK = mixedCapacity(innerDiameter, wallCapacity(innerDiameter, heat.wall), length)
      return { capacityJK: capacity * length, lossWK: heat.lossWMK * length, startC, mixedJK }
    })
    return createPlugPipes(pipes, PARCELS)
  }
  const units = spec.units.length
  const hydraulics = createTreeState(network)
  const loops = createLoopMains(spec, network)
  const firstFlat = firstFlats(spec)
  const begin = { airC: START_ROOM_C, emitterC: start.back, outsideC: outdoorC }
  return {
    spec,
    network,
    hydraulics,
    loops,
    mains: loops?.mains ?? treeMains(network, hydraulics),
    openings: Float64Array.from(spec.units, (unit) => unit.startOpening),
    circuitFaults: createCircuitFaults(units),
    bypassShare: new Float64Array(units),
    households: createStationHouseholds(spec, firstFlat, begin),
    firstFlat,
    flowShare: Float64Array.from(spec.units.flatMap((unit) => unit.households.map((flat) => flat.flowShare))),
    supplyPipes: fill(start.supply),
    returnPipes: fill(start.back),
    supplyAtNode: new Float64Array(network.pipeCount + 1).fill(start.supply),
    returnAtNode: new Float64Array(network.pipeCount + 1).fill(start.back),
    unitReturnC: new Float64Array(units).fill(start.back),
    heldHeadPa: undefined,
    runSpeed: spec.pumpSpeed,
    isMasterOpen: heating !== undefined,
    isDry: false,
    soil: spec.watering && createSoil(spec.watering),
    supplyC: start.supply,
    supplyOffsetK: 0,
    primaryKgS: 0,
    isShort: false,
    outdoorC,
    sky: undefined,
    heatW: 0,
    gainW: 0,
    isValvesMoved: true,
  }
}

/** Sets the position of a valve's stem; flows follow at the next step. */
export function moveStem(plant: StationPlant, unit: number, opening: OpeningRatio): void {
  if (plant.openings[unit] === opening) return
  plant.openings[unit] = opening
  plant.isValvesMoved = true
}

/** Opens or shuts the master valve of a pump house. */
export function setMaster(plant: StationPlant, isOpen: boolean): void {
  if (plant.isMasterOpen === isOpen) return
  plant.isMasterOpen = isOpen
  plant.isValvesMoved = true
}

/** Removes the water from the well before the pump, or returns it: a dry pump runs and moves nothing. */
export function setDry(plant: StationPlant, isDry: boolean): void {
  if (plant.isDry === isDry) return
  plant.isDry = isDry
  plant.isValvesMoved = true
}

/** Sets the head setpoint of the pump, Pa, from the next step on. */
export function holdHead(plant: StationPlant, headPa: number): void {
  if (plant.heldHeadPa === headPa) return
  plant.heldHeadPa = headPa
  plant.isValvesMoved = true
}

/** Solves the flows again if something has moved since the last solve. */
export function settleFlows(plant: StationPlant): void {
  if (plant.isValvesMoved) solveFlows(plant)
  plant.isValvesMoved = false
}

/** Opens or shuts the valve of one of a station's loops. Throws a RangeError for an unknown loop. */
export function setLoopValve(plant: StationPlant, loop: number, isOpen: boolean): void {
  const shut = plant.loops?.shut
  if (shut?.[loop] === undefined) throw new RangeError(`${plant.spec.name} has no loop ${loop}`)
  shut[loop] = isOpen ? 0 : 1
  plant.isValvesMoved = true
}

/** Flow through a unit's circuit without its bypass, kg/s. */
export const unitFlow = (plant: StationPlant, unit: number): number =>
  (plant.hydraulics.circuitFlow[unit] ?? 0) * (1 - (plant.bypassShare[unit] ?? 0))

/** Applies water, people and sun to every flat. */
function heatHouseholds(plant: StationPlant, sky: Sky, simTimeS: number, stepS: number): void {
  const { households, firstFlat, flowShare, network, supplyAtNode, spec, unitReturnC } = plant
  const people = peopleGain(simTimeS)
  let gainW = 0
  spec.units.forEach((unit, index) => {
    const flow = unitFlow(plant, index)
    const supplyC = supplyAtNode[network.circuitNode[index] ?? 0] ?? plant.supplyC
    const first = firstFlat[index] ?? 0
    unit.households.forEach(({ areaM2, gainFactor }, place) => {
      const flat = first + place
      households.flowKgS[flat] = flow * (flowShare[flat] ?? 0)
      households.supplyC[flat] = supplyC
      const gain = gainFactor * gainOf(flat, simTimeS, people, sky.sunWM2)
      const airC = households.airC[flat] ?? 0
      const lost = windowLoss(airC, sky.outdoorC) + draughtLoss(airC, sky.outdoorC, sky.windMS)
      const own = areaM2 * (gain - lost)
      households.airGainW[flat] = own
      gainW += own
    })
  })
  plant.gainW = gainW
  stepHouseholds(households, sky.outdoorC, stepS)
  for (let unit = 0; unit < unitReturnC.length; unit++) {
    let carried = 0
    for (let flat = firstFlat[unit] ?? 0; flat < (firstFlat[unit + 1] ?? 0); flat++) {
      carried += (flowShare[flat] ?? 0) * (households.returnC[flat] ?? 0)
    }
    unitReturnC[unit] = carried
  }
}

/** Advances a station to a simulated instant by a step of at most a few minutes. */
export function stepStation(plant: StationPlant, sky: Sky, simTimeS: number, stepS: number): void {
  settleFlows(plant)
  plant.outdoorC = sky.outdoorC
  plant.sky = sky
  const { heating, watering } = plant.spec
  if (watering !== undefined && plant.soil !== undefined) {
    stepSoil(plant.soil, watering, (unit) => toM3H(unitFlow(plant, unit)), sky, stepS)
  }
  if (heating === undefined) return
  const { supplyC, hydraulics, network, returnAtNode } = plant
  const returnC = returnAtNode[network.pipeCount] ?? supplyC
  const before = { supplyC, returnC, flowKgS: hydraulics.totalFlow }
  Object.assign(plant, stepSource(heating, before, sky.outdoorC, stepS, plant.supplyOffsetK))
  carrySupply(plant, stepS)
  heatHouseholds(plant, sky, simTimeS, stepS)
  carryReturn(plant, stepS)
  const root = plant.returnAtNode[plant.network.pipeCount] ?? plant.supplyC
  plant.heatW = plant.hydraulics.totalFlow * WATER_HEAT_CAPACITY * (plant.supplyC - root)
}

/** Supply setpoint of a station's controller, °C: its heating curve and the offset. Undefined without a heat source. */
export const supplyTarget = ({ spec, outdoorC, supplyOffsetK }: StationPlant): number | undefined =>
  spec.heating && curvePoint(spec.heating.curve, celsius(outdoorC)).supply + supplyOffsetK

/** Present state of a station's pump: relative speed, head in Pa, electric power in W. */
export interface PumpNow {
  readonly speed: number
  readonly headPa: number
  readonly powerW: number
}

export function pumpNow(plant: StationPlant): PumpNow {
  const speed = plant.isMasterOpen ? plant.runSpeed : 0
  if (plant.isDry) return { speed, headPa: 0, powerW: 0 }
  const flow = kilogramPerSecond(plant.hydraulics.totalFlow)
  const head = pumpHead(plant.spec.pump, flow, speed)
  return { speed, headPa: head, powerW: pumpPower(head, flow, WARM_WATER.densityKgM3, PUMP_EFFICIENCY) }
}
