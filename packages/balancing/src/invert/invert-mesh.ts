import { kvAtOpening, type ValveCharacteristic, valveResistance } from '@isotherm/hydraulics/elements/valve'
import { createNetwork } from '@isotherm/hydraulics/network/network'
import type { LinkSpec, NetworkMistake, NetworkSpec } from '@isotherm/hydraulics/network/network-spec'
import {
  createNetworkState,
  type NetworkState,
  solveNetwork,
} from '@isotherm/hydraulics/network/solve-network'
import { kilogramPerSecond, type Metre, metre, openingRatio, pascalGauge } from '@isotherm/kernel/quantities'
import { quantile } from '@isotherm/kernel/statistics'
import { FULLY_OPEN, openingForDrop } from '../loop/valve-opening.ts'

/** A connection between supply and return: indices of two nodes of equal height. */
interface Between {
  readonly supply: number
  readonly back: number
}

/** Supply and return pipes of a loop with cross-connections or rings. Links are pipes, not consumers. */
export interface MeshLoop {
  readonly heights: readonly Metre[]
  readonly links: readonly LinkSpec[]
  readonly fluid: NetworkSpec['fluid']
  readonly friction: NetworkSpec['friction']
  readonly station: Between
  readonly consumers: readonly (Between & {
    /** Resistance of the circuit without its valve, Pa/(kg/s)². */
    readonly circuit: number
    readonly valve: ValveCharacteristic
  })[]
}

export interface MeshRequest {
  /** Target flow by consumer, above zero. */
  readonly targetKgS: Float64Array
  readonly minOpening: number
  readonly indexOpening: number
  readonly servedShare: number
  /** Head that the station's pump keeps, Pa; undefined to compute the required head. */
  readonly headPa: number | undefined
}

export type MeshInversion =
  | {
      readonly kind: 'inverted'
      readonly openings: Float64Array
      readonly headPa: number
      readonly starved: readonly number[]
      readonly overfed: readonly number[]
    }
  | NetworkMistake
  /** No pipe reaches a consumer, or the flows do not converge. */
  | { readonly kind: 'cut-off' | 'not-converged' }

/** Flows and pressures of the pipes. */
export type SolvedDemands =
  | { readonly kind: 'solved'; readonly state: NetworkState }
  | NetworkMistake
  | { readonly kind: 'cut-off' | 'not-converged' }

/**
 * Flows in pipes for given demands of nodes (kg/s, negative for a supply), with pressure 0 at the `given` nodes.
 * Nodes are level unless heights are given, m.
 */
export function solveDemands(
  { links, fluid, friction }: Pick<NetworkSpec, 'links' | 'fluid' | 'friction'>,
  demand: Float64Array,
  given: readonly number[],
  heights: readonly Metre[] = [],
): SolvedDemands {
  const nodes = Array.from(demand, (taken, node) => {
    const own = { height: heights[node] ?? metre(0), demand: kilogramPerSecond(taken) }
    return given.includes(node) ? { ...own, pressure: pascalGauge(0) } : own
  })
  const outcome = createNetwork({ nodes, links, fluid, friction })
  if (outcome.kind !== 'network') return outcome
  const state = createNetworkState(outcome.network)
  const solved = solveNetwork(outcome.network, state)
  return solved === 'cut-off' || solved === 'not-converged' ? { kind: solved } : { kind: 'solved', state }
}

/** Demand of each node: every consumer takes its flow from the supply and gives it back to the return. */
function demandOf({ heights, consumers }: MeshLoop, flows: Float64Array): Float64Array {
  const demand = new Float64Array(heights.length)
  consumers.forEach(({ supply, back }, i) => {
    demand[supply] = (demand[supply] ?? 0) + (flows[i] ?? 0)
    demand[back] = (demand[back] ?? 0) - (flows[i] ?? 0)
  })
  return demand
}

/**
 * Openings and head for target flows in any network. Flows of pipes in a mesh are not sums along one path, but with
 * all consumer flows given, the pipes have one solution. Its pressures give the head that is left for each circuit;
 * the rest is the same as in a tree. Worked example: invert-mesh.test.ts.
 */
export function invertMesh(mesh: MeshLoop, request: MeshRequest): MeshInversion {
  const { targetKgS, minOpening, indexOpening, servedShare } = request
  const { consumers, station, fluid } = mesh
  const solved = solveDemands(mesh, demandOf(mesh, targetKgS), [station.supply, station.back], mesh.heights)
  if (solved.kind !== 'solved') return solved
  const { state } = solved
  const between = ({ supply, back }: Between): number =>
    (state.nodePressure[supply] ?? 0) - (state.nodePressure[back] ?? 0)
  const path = Float64Array.from(consumers, (consumer) => between(station) - between(consumer))
  const need = consumers.map(({ circuit, valve }, i) => {
    const open = valveResistance(kvAtOpening(valve, openingRatio(indexOpening)), fluid.densityKgM3)
    return (path[i] ?? 0) + (circuit + open) * (targetKgS[i] ?? 0) ** 2
  })
  const headPa = request.headPa ?? quantile(need, servedShare) ?? 0
  const starved: number[] = []
  const overfed: number[] = []
  const openings = Float64Array.from(consumers, ({ circuit, valve }, i) => {
    const left = headPa - (path[i] ?? 0)
    const opening = openingForDrop(valve, circuit, left, targetKgS[i] ?? 0, fluid.densityKgM3)
    if (opening >= FULLY_OPEN) starved.push(i)
    if (opening < minOpening) overfed.push(i)
    return Math.max(minOpening, opening)
  })
  return { kind: 'inverted', openings, headPa, starved, overfed }
}
