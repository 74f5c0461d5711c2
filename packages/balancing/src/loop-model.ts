import { frictionFactor } from '@isotherm/hydraulics/friction'
import type { TreeNetwork } from '@isotherm/hydraulics/tree-network'
import { kvAtOpening, type ValveCharacteristic, valveResistance } from '@isotherm/hydraulics/valve'
import { openingRatio } from '@isotherm/kernel/quantities'

/**
 * What balancing believes of a heating loop: a tree of pipes whose circuits (`circuitResistance`, Pa/(kg/s)²) are the
 * consumers, and their valves. Arrays by consumer follow the circuits.
 */
export interface LoopModel {
  readonly network: TreeNetwork
  readonly valves: readonly ValveCharacteristic[]
  readonly densityKgM3: number
}

/** S of a consumer's valve at an opening 0..1, Pa/(kg/s)²; Infinity when shut. */
export function valveS({ valves, densityKgM3 }: LoopModel, consumer: number, opening: number): number {
  const valve = valves[consumer]
  if (valve === undefined) throw new RangeError(`consumer ${consumer} has no valve in the model`)
  return valveResistance(kvAtOpening(valve, openingRatio(opening)), densityKgM3)
}

/** Circuit and valve of a consumer together, Pa/(kg/s)². */
export const consumerS = (model: LoopModel, consumer: number, opening: number): number =>
  (model.network.circuitResistance[consumer] ?? 0) + valveS(model, consumer, opening)

/** S of a pipe (all its runs) at a flow in kg/s, Pa/(kg/s)². */
export function pipeS(network: TreeNetwork, pipe: number, flowKgS: number): number {
  const reynolds = (network.reynoldsScale[pipe] ?? 0) * flowKgS
  const factor = frictionFactor(reynolds, network.relativeRoughness[pipe] ?? 0, network.friction)
  return (network.frictionScale[pipe] ?? 0) * factor + (network.localScale[pipe] ?? 0)
}

/** Flow of every pipe when consumers take these flows, kg/s: one sweep from the far ends. Writes `pipeFlow`. */
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

/** Head that the way from the source to each node takes at these pipe flows, Pa: one sweep outwards; the source last. */
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

/** The same loop with every pipe's S and every consumer's circuit multiplied by its own factor. */
export function scaleLoop(
  model: LoopModel,
  pipeFactor: Float64Array,
  circuitFactor: Float64Array,
): LoopModel {
  const { network } = model
  const scale = (values: Float64Array, factor: Float64Array) =>
    values.map((value, index) => value * (factor[index] ?? 1))
  return {
    ...model,
    network: {
      ...network,
      frictionScale: scale(network.frictionScale, pipeFactor),
      localScale: scale(network.localScale, pipeFactor),
      typicalResistance: scale(network.typicalResistance, pipeFactor),
      circuitResistance: scale(network.circuitResistance, circuitFactor),
      valveResistance: network.valveResistance.slice(),
    },
  }
}
