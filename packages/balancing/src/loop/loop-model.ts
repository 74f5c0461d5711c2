import { frictionFactor } from '@isotherm/hydraulics/elements/friction'
import { kvAtOpening, type ValveCharacteristic, valveResistance } from '@isotherm/hydraulics/elements/valve'
import type { Fluid } from '@isotherm/hydraulics/elements/water'
import {
  type CircuitSpec,
  createTreeNetwork,
  type PipeSpec,
  SOURCE,
  type TreeNetwork,
  type TreeOutcome,
} from '@isotherm/hydraulics/tree/tree-network'
import { metre, openingRatio, resistance } from '@isotherm/kernel/quantities'

/**
 * Model of a heating loop: a tree of pipes with circuits and valves. Each circuit (`circuitResistance`, Pa/(kg/s)²) is a
 * consumer. Arrays by consumer have the order of the circuits.
 */
export interface LoopModel {
  readonly pipes: readonly PipeSpec[]
  readonly network: TreeNetwork
  readonly valves: readonly ValveCharacteristic[]
  readonly fluid: Fluid
}

export type LoopOutcome =
  | { readonly kind: 'loop'; readonly model: LoopModel }
  | Exclude<TreeOutcome, { readonly kind: 'tree' }>
  | { readonly kind: 'valves-missing' }

/** A loop from its records, one valve for each circuit; invalid records give a tagged outcome. */
export function createLoop(
  pipes: readonly PipeSpec[],
  circuits: readonly CircuitSpec[],
  valves: readonly ValveCharacteristic[],
  fluid: Fluid,
): LoopOutcome {
  if (valves.length !== circuits.length) return { kind: 'valves-missing' }
  const outcome = createTreeNetwork(pipes, circuits, fluid)
  if (outcome.kind !== 'tree') return outcome
  return { kind: 'loop', model: { pipes, network: outcome.network, valves, fluid } }
}

/** S of a consumer's valve at an opening 0..1, Pa/(kg/s)²; Infinity when shut. */
export function valveS({ valves, fluid }: LoopModel, consumer: number, opening: number): number {
  const valve = valves[consumer]
  if (valve === undefined) throw new RangeError(`consumer ${consumer} has no valve in the model`)
  return valveResistance(kvAtOpening(valve, openingRatio(opening)), fluid.densityKgM3)
}

/** S of circuit and valve of a consumer together, Pa/(kg/s)². */
export const consumerS = (model: LoopModel, consumer: number, opening: number): number =>
  (model.network.circuitResistance[consumer] ?? 0) + valveS(model, consumer, opening)

/** S of a pipe (all its runs) at a flow in kg/s, Pa/(kg/s)². */
export function pipeS(network: TreeNetwork, pipe: number, flowKgS: number): number {
  const reynolds = (network.reynoldsScale[pipe] ?? 0) * flowKgS
  const factor = frictionFactor(reynolds, network.relativeRoughness[pipe] ?? 0, network.friction)
  return (network.frictionScale[pipe] ?? 0) * factor + (network.localScale[pipe] ?? 0)
}

/** Flow of every pipe for given consumer flows, kg/s: one sweep from the far ends. Writes `pipeFlow`. */
export function sumFlows(network: TreeNetwork, flowKgS: Float64Array, pipeFlow: Float64Array): Float64Array {
  const { order, parent, circuitNode, pipeCount } = network
  pipeFlow.fill(0)
  for (let c = 0; c < network.circuitCount; c++) {
    const node = circuitNode[c] ?? pipeCount
    if (node < pipeCount) pipeFlow[node] = (pipeFlow[node] ?? 0) + (flowKgS[c] ?? 0)
  }
  for (let k = pipeCount - 1; k >= 0; k--) {
    const pipe = order[k] ?? 0
    const up = parent[pipe] ?? pipeCount
    if (up < pipeCount) pipeFlow[up] = (pipeFlow[up] ?? 0) + (pipeFlow[pipe] ?? 0)
  }
  return pipeFlow
}

/** Head loss from the source to each node at these pipe flows, Pa: one sweep outwards; the source is last. */
export function pathLosses(network: TreeNetwork, pipeFlow: Float64Array, loss: Float64Array): Float64Array {
  const { order, parent, pipeCount } = network
  loss[pipeCount] = 0
  for (let k = 0; k < pipeCount; k++) {
    const pipe = order[k] ?? 0
    const flow = pipeFlow[pipe] ?? 0
    loss[pipe] = (loss[parent[pipe] ?? pipeCount] ?? 0) + pipeS(network, pipe, flow) * flow * flow
  }
  return loss
}

/** The same loop with the circuit of every consumer multiplied by its factor. */
export function scaleCircuits(model: LoopModel, factor: Float64Array): LoopModel {
  const { network } = model
  const circuitResistance = network.circuitResistance.map((value, index) => value * (factor[index] ?? 1))
  return { ...model, network: { ...network, circuitResistance } }
}

/**
 * The same loop with S of every pipe multiplied by its factor, applied to its length and its local losses.
 */
export function scalePipes(model: LoopModel, factor: Float64Array): LoopModel {
  const pipes = model.pipes.map((pipe, index) => ({
    ...pipe,
    length: metre(pipe.length * (factor[index] ?? 1)),
    localLoss: pipe.localLoss * (factor[index] ?? 1),
  }))
  const { circuitNode, circuitResistance, pipeCount } = model.network
  const circuits = Array.from(circuitResistance, (value, index) => {
    const node = circuitNode[index] ?? pipeCount
    return { node: node === pipeCount ? SOURCE : node, resistance: resistance(value) }
  })
  const outcome = createLoop(pipes, circuits, model.valves, model.fluid)
  if (outcome.kind !== 'loop') throw new RangeError(`no pipes can have such factors (${outcome.kind})`)
  return outcome.model
}
