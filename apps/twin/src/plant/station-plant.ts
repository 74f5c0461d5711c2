import { pumpHead, pumpPower } from '@isotherm/hydraulics/pump'
import { createTreeState } from '@isotherm/hydraulics/solve-tree'
import { createTreeNetwork } from '@isotherm/hydraulics/tree-network'
import { WARM_WATER } from '@isotherm/hydraulics/water'
import { type Celsius, celsius, kilogramPerSecond, type OpeningRatio } from '@isotherm/kernel/quantities'
import type { Households } from '@isotherm/thermal/households'
import { capacityPerMetre } from '@isotherm/thermal/pipe-heat'
import { createPlugPipes, type PlugPipes, stepPlugPipe } from '@isotherm/thermal/plug-pipes'
import { stepHouseholds } from '@isotherm/thermal/step-households'
import { WATER_HEAT_CAPACITY } from '@isotherm/thermal/water'
import { curvePoint } from '@isotherm/thermal/weather-compensation'
import type { StationSpec } from '../scenarios/scenario.ts'
import { stepSource } from './heat-source.ts'
import { draughtLoss, gainOf, peopleGain, windowLoss } from './occupants.ts'
import { createCircuitFaults } from './plant-faults.ts'
import { createSoil, type Soil, stepSoil } from './soil.ts'
import { pumpSpeed, type StationFlows, solveFlows } from './station-flows.ts'
import { createStationHouseholds, firstFlats } from './unit-households.ts'
import type { Sky } from './weather.ts'

/** Parcels of water that a pipe may hold; their number only bounds how sharp an old front stays. */
const PARCELS = 16
const GROUND_C = 5
/** Water from a well, for irrigation. */
const WELL_C = celsius(14)
const KG_S_TO_M3_H = 3600 / WARM_WATER.densityKgM3
const PUMP_EFFICIENCY = 0.62
const START_ROOM_C = 20.5

/** One station's network as it is now. Arrays follow the spec's order of pipes and units. */
export interface StationPlant extends StationFlows {
  /** All flats in the order of the units; unit i has those from `firstFlat[i]` to before `firstFlat[i + 1]`. */
  readonly households: Households
  readonly firstFlat: Int32Array
  readonly flowShare: Float64Array
  readonly supplyPipes: PlugPipes
  readonly returnPipes: PlugPipes
  /** Mean temperature at the node of each pipe during the last step, °C; slot `pipeCount` is the station. */
  readonly supplyAtNode: Float64Array
  readonly returnAtNode: Float64Array
  /** Return of each unit's own circuit, before any bypass mixes into it, °C. */
  readonly unitReturnC: Float64Array
  /** The watered ground of a pump house. */
  readonly soil: Soil | undefined
  supplyC: number
  /** Flow of the primary side, and whether it was not enough. */
  primaryKgS: number
  isShort: boolean
  outdoorC: number
  /** Heat that the exchanger gave during the last step, and that people, sun, windows and wind did, W. */
  heatW: number
  gainW: number
  isValvesMoved: boolean
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
  const fill = (startC: Celsius): PlugPipes => {
    const pipes = spec.pipes.map(({ innerDiameter, length }, index) => {
      const heat = spec.pipeHeat[index]
      if (heat === undefined) throw new Error(`${spec.name}: pipe ${index} has no heat side`)
      const capacity = capacityPerMetre(innerDiameter, heat.wall, WARM_WATER.densityKgM3)
      return { capacityJK: capacity * length, lossWK: heat.lossWMK * length, startC }
    })
    return createPlugPipes(pipes, PARCELS)
  }
  const units = spec.units.length
  const firstFlat = firstFlats(spec)
  const begin = { airC: START_ROOM_C, emitterC: start.back, outsideC: outdoorC }
  return {
    spec,
    network,
    hydraulics: createTreeState(network),
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
    isMasterOpen: heating !== undefined,
    soil: spec.watering && createSoil(spec.watering),
    supplyC: start.supply,
    primaryKgS: 0,
    isShort: false,
    outdoorC,
    heatW: 0,
    gainW: 0,
    isValvesMoved: true,
  }
}

/** Puts a valve's stem somewhere; flows follow at the next step. */
export function moveStem(plant: StationPlant, unit: number, opening: OpeningRatio): void {
  if (plant.openings[unit] === opening) return
  plant.openings[unit] = opening
  plant.isValvesMoved = true
}

/** Opens or shuts the valve behind a pump house's pump. */
export function setMaster(plant: StationPlant, isOpen: boolean): void {
  if (plant.isMasterOpen === isOpen) return
  plant.isMasterOpen = isOpen
  plant.isValvesMoved = true
}

/** Supply water outwards, pipe by pipe. */
function carrySupply(plant: StationPlant, stepS: number): void {
  const { network, hydraulics, supplyAtNode, supplyPipes } = plant
  supplyAtNode[network.pipeCount] = plant.supplyC
  for (const pipe of network.order) {
    const inlet = supplyAtNode[network.parent[pipe] ?? 0] ?? plant.supplyC
    const flow = hydraulics.pipeFlow[pipe] ?? 0
    supplyAtNode[pipe] = stepPlugPipe(supplyPipes, pipe, flow, inlet, GROUND_C, stepS)
  }
}

/** What goes through a unit's own circuit, kg/s: without its bypass. */
export const unitFlow = (plant: StationPlant, unit: number): number =>
  (plant.hydraulics.circuitFlow[unit] ?? 0) * (1 - (plant.bypassShare[unit] ?? 0))

/** Brings water, people and sun to every flat. */
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

/** Return water home, mixing at every node. `returnAtNode` first gathers flow times temperature. */
function carryReturn(plant: StationPlant, stepS: number): void {
  const { network, hydraulics, supplyAtNode, returnAtNode, returnPipes, unitReturnC, bypassShare } = plant
  returnAtNode.fill(0)
  network.circuitNode.forEach((node, circuit) => {
    const past = bypassShare[circuit] ?? 0
    const mixed = past * (supplyAtNode[node] ?? 0) + (1 - past) * (unitReturnC[circuit] ?? 0)
    returnAtNode[node] = (returnAtNode[node] ?? 0) + (hydraulics.circuitFlow[circuit] ?? 0) * mixed
  })
  for (let k = network.pipeCount - 1; k >= 0; k--) {
    const pipe = network.order[k] ?? 0
    const flow = hydraulics.pipeFlow[pipe] ?? 0
    const mixed = flow > 0 ? (returnAtNode[pipe] ?? 0) / flow : GROUND_C
    const out = stepPlugPipe(returnPipes, pipe, flow, mixed, GROUND_C, stepS)
    // Where water stands, a sensor shows what stands.
    returnAtNode[pipe] = flow > 0 ? mixed : out
    const parent = network.parent[pipe] ?? 0
    returnAtNode[parent] = (returnAtNode[parent] ?? 0) + flow * out
  }
  const total = hydraulics.totalFlow
  const root = network.pipeCount
  returnAtNode[root] = total > 0 ? (returnAtNode[root] ?? 0) / total : plant.supplyC
}

/** Moves a station on to a simulated instant by a step of at most a few minutes. */
export function stepStation(plant: StationPlant, sky: Sky, simTimeS: number, stepS: number): void {
  if (plant.isValvesMoved) solveFlows(plant)
  plant.isValvesMoved = false
  plant.outdoorC = sky.outdoorC
  const { heating, watering } = plant.spec
  if (watering !== undefined && plant.soil !== undefined) {
    stepSoil(plant.soil, watering, (unit) => unitFlow(plant, unit) * KG_S_TO_M3_H, sky, stepS)
  }
  if (heating === undefined) return
  const { supplyC, hydraulics, network, returnAtNode } = plant
  const returnC = returnAtNode[network.pipeCount] ?? supplyC
  const before = { supplyC, returnC, flowKgS: hydraulics.totalFlow }
  Object.assign(plant, stepSource(heating, before, sky.outdoorC, stepS))
  carrySupply(plant, stepS)
  heatHouseholds(plant, sky, simTimeS, stepS)
  carryReturn(plant, stepS)
  const root = plant.returnAtNode[plant.network.pipeCount] ?? plant.supplyC
  plant.heatW = plant.hydraulics.totalFlow * WATER_HEAT_CAPACITY * (plant.supplyC - root)
}

/** A station's pump as it runs: relative speed, head in Pa, electric power in W. */
export interface PumpNow {
  readonly speed: number
  readonly headPa: number
  readonly powerW: number
}

export function pumpNow(plant: StationPlant): PumpNow {
  const speed = pumpSpeed(plant)
  const flow = kilogramPerSecond(plant.hydraulics.totalFlow)
  const head = pumpHead(plant.spec.pump, flow, speed)
  return { speed, headPa: head, powerW: pumpPower(head, flow, WARM_WATER.densityKgM3, PUMP_EFFICIENCY) }
}
