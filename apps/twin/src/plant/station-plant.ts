import { pumpHead, pumpPower } from '@isotherm/hydraulics/pump'
import { createTreeState, solveTree, type TreeState } from '@isotherm/hydraulics/solve-tree'
import { createTreeNetwork, type TreeNetwork, WARM_WATER } from '@isotherm/hydraulics/tree-network'
import { kvAtOpening, valveResistance } from '@isotherm/hydraulics/valve'
import {
  type Celsius,
  celsius,
  kilogramPerSecond,
  type OpeningRatio,
  openingRatio,
} from '@isotherm/kernel/quantities'
import { capacityPerMetre, createPipeCells, type PipeCells, stepPipe } from '@isotherm/thermal/pipe-heat'
import { WATER_HEAT_CAPACITY } from '@isotherm/thermal/water'
import { curvePoint } from '@isotherm/thermal/weather-compensation'
import type { StationSpec, UnitSpec } from '../scenarios/scenario.ts'
import { createUnitHeat, type Surroundings, stepUnit, type UnitHeat } from './unit-heat.ts'

const CELLS_PER_PIPE = 4
const GROUND_C = 5
/** The station's controller follows the curve with this time constant, s. */
const SUPPLY_LAG_S = 1200
const PUMP_EFFICIENCY = 0.62
const START_ROOM_C = 20.5

/** One station's network as it is now. Arrays follow the spec's order of pipes and units. */
export interface StationPlant {
  readonly spec: StationSpec
  readonly network: TreeNetwork
  readonly hydraulics: TreeState
  readonly units: readonly UnitHeat[]
  /** Where each valve's stem stands, 0..1. Written by the devices. */
  readonly openings: Float64Array
  readonly supplyCells: readonly PipeCells[]
  readonly returnCells: readonly PipeCells[]
  /** Temperature at each pipe's far end (supply) and near end (return), °C; slot `pipeCount` is the station. */
  readonly supplyAtNode: Float64Array
  readonly returnAtNode: Float64Array
  supplyC: number
  outdoorC: number
  /** Heat that the exchanger gave during the last step, W. */
  heatW: number
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
  return {
    spec,
    network,
    hydraulics: createTreeState(network),
    units: spec.units.map((unit) => createUnitHeat(unit, START_ROOM_C, outdoorC, start.back)),
    openings: Float64Array.from(spec.units, (unit) => unit.startOpening),
    supplyCells: cells(start.supply),
    returnCells: cells(start.back),
    supplyAtNode: new Float64Array(network.pipeCount + 1).fill(start.supply),
    returnAtNode: new Float64Array(network.pipeCount + 1).fill(start.back),
    supplyC: start.supply,
    outdoorC,
    heatW: 0,
    isValvesMoved: true,
  }
}

/** Puts a valve's stem somewhere; flows follow at the next step. */
export function moveStem(plant: StationPlant, unit: number, opening: OpeningRatio): void {
  if (plant.openings[unit] === opening) return
  plant.openings[unit] = opening
  plant.isValvesMoved = true
}

/** Flows for the present valve positions. They change only when a valve moved. */
function settleFlows(plant: StationPlant): void {
  if (!plant.isValvesMoved) return
  const { spec, network, openings } = plant
  spec.units.forEach((unit: UnitSpec, index) => {
    const kv = kvAtOpening(unit.valve, openingRatio(openings[index] ?? 0))
    network.valveResistance[index] = valveResistance(kv, WARM_WATER.densityKgM3)
  })
  solveTree(network, plant.hydraulics, { kind: 'pump', pump: spec.pump, speed: spec.pumpSpeed })
  plant.isValvesMoved = false
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

/** Return water home, mixing at every node. `returnAtNode` first gathers flow times temperature. */
function carryReturn(plant: StationPlant, stepS: number): void {
  const { network, hydraulics, returnAtNode, returnCells, units } = plant
  returnAtNode.fill(0)
  network.circuitNode.forEach((node, circuit) => {
    const carried = (hydraulics.circuitFlow[circuit] ?? 0) * (units[circuit]?.returnC ?? 0)
    returnAtNode[node] = (returnAtNode[node] ?? 0) + carried
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

/** Moves a station on by a step of at most a few minutes. */
export function stepStation(plant: StationPlant, around: Surroundings, stepS: number): void {
  settleFlows(plant)
  plant.outdoorC = around.outdoorC
  const wanted = curvePoint(plant.spec.curve, celsius(around.outdoorC)).supply
  plant.supplyC += (wanted - plant.supplyC) * (1 - Math.exp(-stepS / SUPPLY_LAG_S))
  carrySupply(plant, stepS)
  plant.units.forEach((unit, index) => {
    const node = plant.network.circuitNode[index] ?? 0
    const flow = plant.hydraulics.circuitFlow[index] ?? 0
    stepUnit(unit, flow, plant.supplyAtNode[node] ?? plant.supplyC, around, stepS)
  })
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

/** What the pipes lose to the ground now, W: both directions. */
export function pipeLoss(plant: StationPlant): number {
  let loss = 0
  for (const cells of [...plant.supplyCells, ...plant.returnCells]) {
    for (const temperature of cells.temperatureC) loss += cells.cellLoss * (temperature - GROUND_C)
  }
  return loss
}

/** Heat stored in pipes and risers relative to 0 °C, J. */
export function storedHeat(plant: StationPlant): number {
  let stored = 0
  const all = [...plant.supplyCells, ...plant.returnCells, ...plant.units.map((unit) => unit.emitterWater)]
  for (const cells of all) {
    for (const temperature of cells.temperatureC) stored += cells.cellCapacity * temperature
  }
  return stored
}
