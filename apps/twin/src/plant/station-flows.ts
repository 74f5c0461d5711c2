import { pumpHead, speedFor } from '@isotherm/hydraulics/elements/pump'
import { kvAtOpening, valveResistance } from '@isotherm/hydraulics/elements/valve'
import { WARM_WATER } from '@isotherm/hydraulics/elements/water'
import {
  DEFAULT_SOLVE,
  type SolveOptions,
  solveTree,
  type TreeState,
} from '@isotherm/hydraulics/tree/solve-tree'
import type { TreeNetwork } from '@isotherm/hydraulics/tree/tree-network'
import { kilogramPerSecond, openingRatio } from '@isotherm/kernel/quantities'
import type { StationSpec } from '../scenarios/scenario.ts'
import { type LoopMains, solveLoops } from './loop-mains.ts'
import type { CircuitFaults } from './plant-faults.ts'

/** A station's flows: network, solution, stems and faults in, shares of bypasses out; all by unit. */
export interface StationFlows {
  readonly spec: StationSpec
  readonly network: TreeNetwork
  readonly hydraulics: TreeState
  /** Mains that close loops, if any; then they compute the flows and write them to `hydraulics`. */
  readonly loops: LoopMains | undefined
  readonly openings: Float64Array
  readonly circuitFaults: CircuitFaults
  /** Head setpoint of the pump's controller, Pa; undefined while it runs at a fixed speed. */
  heldHeadPa: number | undefined
  /** Relative speed of the pump while it runs. */
  runSpeed: number
  /** Whether the master valve after the pump is open; the pump stops while it is shut. Always true in heating. */
  isMasterOpen: boolean
  /** Whether the well before the pump has no water: the pump turns and moves nothing. */
  isDry: boolean
  /** Share of a circuit's flow through its bypass, 0..1. */
  readonly bypassShare: Float64Array
}

const MAX_ROUNDS = 80
const TOLERANCE = 1e-9
/** Lowest head assumed at the node of a private pump, Pa. */
const MIN_HEAD_PA = 1

/** Present relative speed of the pump, as far as it moves water. */
const pumpSpeed = ({ runSpeed, isMasterOpen, isDry }: StationFlows): number =>
  isMasterOpen && !isDry ? runSpeed : 0

/** Range of relative speeds of a circulation pump with a frequency converter. */
const SLOWEST = 0.3
const FASTEST = 1.1
/** Maximum number of iterations of speed and flow, and the relative change of speed at which they have converged. */
const SPEED_ROUNDS = 20
const SPEED_TOLERANCE = 1e-7

/** Circuit, strainer and valve of a unit without its bypass, Pa/(kg/s)². Infinity when the valve is shut. */
export function ownResistance({ spec, openings, circuitFaults }: StationFlows, index: number): number {
  const unit = spec.units[index]
  if (unit === undefined) return Number.POSITIVE_INFINITY
  const kv = kvAtOpening(unit.valve, openingRatio(openings[index] ?? 0))
  const circuit = unit.circuit * (circuitFaults.clogging[index] ?? 1)
  return circuit + valveResistance(kv, WARM_WATER.densityKgM3)
}

/** Writes circuits for the tree solver: a bypass in parallel, a private pump as a lower resistance. */
function writeCircuits(flows: StationFlows, own: Float64Array): void {
  const { network, hydraulics, circuitFaults, bypassShare } = flows
  for (let index = 0; index < own.length; index++) {
    const pump = circuitFaults.privateHeadPa[index] ?? 0
    const bypass = circuitFaults.bypass[index] ?? 0
    let resistance = own[index] ?? Number.POSITIVE_INFINITY
    if (pump > 0) {
      const head = Math.max(MIN_HEAD_PA, hydraulics.nodeHead[network.circuitNode[index] ?? 0] ?? 0)
      resistance *= head / (head + pump)
    }
    const conductance = 1 / Math.sqrt(resistance) + bypass
    bypassShare[index] = bypass > 0 ? bypass / conductance : 0
    network.circuitResistance[index] = 0
    network.valveResistance[index] = 1 / (conductance * conductance)
  }
}

/** The largest relative change of head at a private pump's node since `before`. */
function headChange({ network, hydraulics, circuitFaults }: StationFlows, before: Float64Array): number {
  let change = 0
  circuitFaults.privateHeadPa.forEach((pump, index) => {
    if (pump === 0) return
    const node = network.circuitNode[index] ?? 0
    const head = Math.max(MIN_HEAD_PA, hydraulics.nodeHead[node] ?? 0)
    change = Math.max(change, Math.abs(head - (before[node] ?? 0)) / head)
  })
  return change
}

/**
 * Flows at the pump's present speed. A private pump of head H_p in a circuit of resistance S at a node of head H
 * moves ṁ = √((H + H_p)/S), which is a circuit of resistance S·H/(H + H_p): repeated until H converges.
 */
function solveAtSpeed(flows: StationFlows, options: SolveOptions): void {
  const { spec, network, hydraulics, loops, circuitFaults } = flows
  const own = Float64Array.from(spec.units, (_, index) => ownResistance(flows, index))
  const hasPump = circuitFaults.privateHeadPa.some((head) => head > 0)
  for (let round = 0; round < (hasPump ? MAX_ROUNDS : 1); round++) {
    const before = hydraulics.nodeHead.slice()
    writeCircuits(flows, own)
    if (loops !== undefined) solveLoops(loops, spec, network, hydraulics, pumpSpeed(flows))
    else {
      const source = { kind: 'pump', pump: spec.pump, speed: pumpSpeed(flows) } as const
      // `dry` has valid flows: a pump house with shut valves, or a pump that stands still.
      if (solveTree(network, hydraulics, source, options) === 'not-converged')
        throw new Error(`${spec.name}: no flows were found for the pipes`)
    }
    if (hasPump && headChange(flows, before) < TOLERANCE) return
  }
}

/**
 * Flows for the present stems and faults. A head setpoint is reached by speed: flow is proportional to the root of the head,
 * so the next speed is the one that gives that head at ṁ·√(H_held/H), within the range of the converter. Throws with the
 * station's name if there is no solution.
 */
export function solveFlows(flows: StationFlows, options: SolveOptions = DEFAULT_SOLVE): void {
  const { spec, hydraulics, heldHeadPa } = flows
  solveAtSpeed(flows, options)
  if (heldHeadPa === undefined || !flows.isMasterOpen || flows.isDry) return
  for (let round = 0; round < SPEED_ROUNDS; round++) {
    const flow = kilogramPerSecond(hydraulics.totalFlow)
    const headPa = pumpHead(spec.pump, flow, flows.runSpeed)
    const reached = headPa > 0 ? flow * Math.sqrt(heldHeadPa / headPa) : 0
    const next = Math.min(FASTEST, Math.max(SLOWEST, speedFor(spec.pump, heldHeadPa, reached)))
    const isThere = Math.abs(next - flows.runSpeed) < SPEED_TOLERANCE
    flows.runSpeed = next
    if (isThere) return
    solveAtSpeed(flows, options)
  }
}
