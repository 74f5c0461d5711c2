import { pumpHead, pumpPower } from '@isotherm/hydraulics/pump'
import { createTreeState } from '@isotherm/hydraulics/solve-tree'
import { createTreeNetwork, WARM_WATER } from '@isotherm/hydraulics/tree-network'
import { type Celsius, celsius, kilogramPerSecond, type OpeningRatio } from '@isotherm/kernel/quantities'
import type { Households } from '@isotherm/thermal/households'
import { capacityPerMetre, createPipeCells, type PipeCells, stepPipe } from '@isotherm/thermal/pipe-heat'
import { stepHouseholds } from '@isotherm/thermal/step-households'
import { WATER_HEAT_CAPACITY } from '@isotherm/thermal/water'
import { curvePoint } from '@isotherm/thermal/weather-compensation'
import type { StationSpec } from '../scenarios/scenario.ts'
import { gainOf, peopleGain, windowLoss } from './occupants.ts'
import { createCircuitFaults } from './plant-faults.ts'
import { type StationFlows, solveFlows } from './station-flows.ts'
import { createStationHouseholds, firstFlats } from './unit-households.ts'
import type { Sky } from './weather.ts'

const CELLS_PER_PIPE = 4
export const GROUND_C = 5
/** The station's controller follows the curve with this time constant, s. */
const SUPPLY_LAG_S = 1200
const PUMP_EFFICIENCY = 0.62
const START_ROOM_C = 20.5

/** One station's network as it is now. Arrays follow the spec's order of pipes and units. */
export interface StationPlant extends StationFlows {
  /** All flats in the order of the units; unit i has those from `firstFlat[i]` to before `firstFlat[i + 1]`. */
  readonly households: Households
  readonly firstFlat: Int32Array
  readonly flowShare: Float64Array
  readonly supplyCells: readonly PipeCells[]
  readonly returnCells: readonly PipeCells[]
  /** Temperature at each pipe's far end (supply) and near end (return), °C; slot `pipeCount` is the station. */
  readonly supplyAtNode: Float64Array
  readonly returnAtNode: Float64Array
  /** Return of each unit's own circuit, before any bypass mixes into it, °C. */
  readonly unitReturnC: Float64Array
  supplyC: number
  outdoorC: number
  /** Heat that the exchanger gave during the last step, and that people, sun and windows did, W. */
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
  const start = curvePoint(spec.curve, celsius(outdoorC))
  const cells = (startC: Celsius) =>
    spec.pipes.map((pipe, index) => {
      const heat = spec.pipeHeat[index]
      if (heat === undefined) throw new Error(`${spec.name}: pipe ${index} has no heat side`)
      const capacity = capacityPerMetre(pipe.innerDiameter, heat.wall, WARM_WATER.densityKgM3)
      return createPipeCells(pipe.length, capacity, heat.lossWMK, CELLS_PER_PIPE, startC)
    })
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
    supplyCells: cells(start.supply),
    returnCells: cells(start.back),
    supplyAtNode: new Float64Array(network.pipeCount + 1).fill(start.supply),
    returnAtNode: new Float64Array(network.pipeCount + 1).fill(start.back),
    unitReturnC: new Float64Array(units).fill(start.back),
    supplyC: start.supply,
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

/** Supply water outwards, pipe by pipe. */
function carrySupply(plant: StationPlant, stepS: number): void {
  const { network, hydraulics, supplyAtNode, supplyCells } = plant
  supplyAtNode[network.pipeCount] = plant.supplyC
  for (const pipe of network.order) {
    const cells = supplyCells[pipe]
    if (cells === undefined) continue
    const inlet = supplyAtNode[network.parent[pipe] ?? 0] ?? plant.supplyC
    const flow = kilogramPerSecond(hydraulics.pipeFlow[pipe] ?? 0)
    supplyAtNode[pipe] = stepPipe(cells, flow, inlet, GROUND_C, stepS)
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
      const own = areaM2 * (gain - windowLoss(households.airC[flat] ?? 0, sky.outdoorC))
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
  const { network, hydraulics, supplyAtNode, returnAtNode, returnCells, unitReturnC, bypassShare } = plant
  returnAtNode.fill(0)
  network.circuitNode.forEach((node, circuit) => {
    const past = bypassShare[circuit] ?? 0
    const mixed = past * (supplyAtNode[node] ?? 0) + (1 - past) * (unitReturnC[circuit] ?? 0)
    returnAtNode[node] = (returnAtNode[node] ?? 0) + (hydraulics.circuitFlow[circuit] ?? 0) * mixed
  })
  for (let k = network.pipeCount - 1; k >= 0; k--) {
    const pipe = network.order[k] ?? 0
    const cells = returnCells[pipe]
    if (cells === undefined) continue
    const flow = hydraulics.pipeFlow[pipe] ?? 0
    const mixed = flow > 0 ? (returnAtNode[pipe] ?? 0) / flow : (cells.temperatureC[0] ?? GROUND_C)
    const out = stepPipe(cells, kilogramPerSecond(flow), mixed, GROUND_C, stepS)
    returnAtNode[pipe] = mixed
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
  const wanted = curvePoint(plant.spec.curve, celsius(sky.outdoorC)).supply
  plant.supplyC += (wanted - plant.supplyC) * (1 - Math.exp(-stepS / SUPPLY_LAG_S))
  carrySupply(plant, stepS)
  heatHouseholds(plant, sky, simTimeS, stepS)
  carryReturn(plant, stepS)
  const root = plant.returnAtNode[plant.network.pipeCount] ?? plant.supplyC
  plant.heatW = plant.hydraulics.totalFlow * WATER_HEAT_CAPACITY * (plant.supplyC - root)
}

/** Head of the station's pump, Pa, and its electric power, W. */
export function pumpNow(plant: StationPlant): { readonly headPa: number; readonly powerW: number } {
  const flow = kilogramPerSecond(plant.hydraulics.totalFlow)
  const head = pumpHead(plant.spec.pump, flow, plant.spec.pumpSpeed)
  return { headPa: head, powerW: pumpPower(head, flow, WARM_WATER.densityKgM3, PUMP_EFFICIENCY) }
}
