import { WARM_WATER } from '@isotherm/hydraulics/elements/water'
import { createNetwork, type Network } from '@isotherm/hydraulics/network/network'
import type { LinkSpec, NodeSpec } from '@isotherm/hydraulics/network/network-spec'
import {
  createNetworkState,
  type NetworkState,
  solveNetwork,
} from '@isotherm/hydraulics/network/solve-network'
import type { TreeState } from '@isotherm/hydraulics/tree/solve-tree'
import { SOURCE, type TreeNetwork } from '@isotherm/hydraulics/tree/tree-network'
import { kilogramPerSecond, metre, pascalGauge, resistance } from '@isotherm/kernel/quantities'
import type { StationSpec } from '../scenarios/scenario.ts'
import { farEnd, type Mains } from './mains.ts'

/**
 * Mains that close loops, and the network with them, which a tree solver cannot solve. Supply and return pipes are parallel
 * with equal flows. As in the tree, one pipe of double resistance represents both, and a node's pressure is the head between
 * them.
 */
export interface LoopMains {
  readonly network: Network
  readonly state: NetworkState
  readonly mains: Mains
  /** 1 if the valve of a loop is shut, by loop. */
  readonly shut: Int32Array
}

const noHeight = { height: metre(0), demand: kilogramPerSecond(0) }

/** One pipe for a trench of several equal runs. */
const toPipe = (
  from: number,
  to: number,
  { length, innerDiameter, roughness, localLoss, runs }: Omit<StationSpec['pipes'][number], 'parent'>,
): LinkSpec => ({
  kind: 'pipe',
  from,
  to,
  innerDiameter,
  roughness,
  length: metre(runs * length),
  localLoss: runs * localLoss,
})

/** Loops of a station with a given tree; undefined if it has none. Throws for an invalid loop. */
export function createLoopMains(spec: StationSpec, tree: TreeNetwork): LoopMains | undefined {
  if (spec.loops.length === 0) return undefined
  const station = tree.pipeCount
  const ground = station + 1
  const slot = (node: number) => (node === SOURCE ? station : node)
  const nodes: NodeSpec[] = Array.from({ length: ground + 1 }, (_, node) =>
    node === ground ? { ...noHeight, pressure: pascalGauge(0) } : noHeight,
  )
  const outcome = createNetwork({
    nodes,
    links: [
      ...spec.pipes.map((pipe, index) => toPipe(slot(pipe.parent), index, pipe)),
      ...spec.loops.map(({ from, to, pipe }) => toPipe(slot(from), slot(to), pipe)),
      ...spec.units.map(
        ({ node, circuit }): LinkSpec => ({
          kind: 'resistor',
          from: slot(node),
          to: ground,
          resistance: circuit,
        }),
      ),
      { kind: 'pump', from: ground, to: station, curve: spec.pump, speed: spec.pumpSpeed },
    ],
    fluid: WARM_WATER,
    friction: tree.friction,
  })
  if (outcome.kind !== 'network') throw new Error(`${spec.name}: the mains make no network (${outcome.kind})`)
  const { network } = outcome
  const pipes = spec.pipes.length + spec.loops.length
  return {
    network,
    state: createNetworkState(network),
    mains: {
      from: network.from.subarray(0, pipes),
      to: network.to.subarray(0, pipes),
      flow: new Float64Array(pipes),
      through: new Float64Array(tree.pipeCount),
      order: Int32Array.from({ length: pipes }, (_, pipe) => pipe),
    },
    shut: Int32Array.from(spec.loops, ({ isOpen }) => (isOpen ? 0 : 1)),
  }
}

/** Sorts pipes by the head at their end, highest first: water flows from high to low head, so this is the flow order. */
function writeOrder({ mains }: LoopMains, nodeHead: Float64Array): void {
  const { order, through, flow } = mains
  const headAt = (pipe: number): number => nodeHead[farEnd(mains, pipe)] ?? 0
  order.sort(
    (left, right) =>
      headAt(right) - headAt(left) || farEnd(mains, left) - farEnd(mains, right) || left - right,
  )
  through.fill(0)
  for (const pipe of order) {
    const node = farEnd(mains, pipe)
    if (node < through.length) through[node] = (through[node] ?? 0) + Math.abs(flow[pipe] ?? 0)
  }
}

/**
 * Solves the flows for the circuits' resistances in the tree at a relative pump speed, and writes them to the same arrays as
 * the tree solver. Throws if there is no solution.
 */
export function solveLoops(
  loops: LoopMains,
  { name }: StationSpec,
  tree: TreeNetwork,
  flows: Pick<TreeState, 'pipeFlow' | 'circuitFlow' | 'nodeHead' | 'totalFlow'>,
  speed: number,
): void {
  const { network, state, mains, shut } = loops
  const pipes = mains.flow.length
  network.isShut.set(shut, tree.pipeCount)
  for (let circuit = 0; circuit < tree.circuitCount; circuit++) {
    network.resistance[pipes + circuit] = resistance(
      (tree.circuitResistance[circuit] ?? 0) + (tree.valveResistance[circuit] ?? 0),
    )
  }
  const pump = network.linkCount - 1
  network.speed[pump] = speed
  const outcome = solveNetwork(network, state)
  if (outcome === 'not-converged') throw new Error(`${name}: no flows were found for the mains' loops`)
  mains.flow.set(state.linkFlow.subarray(0, pipes))
  flows.pipeFlow.set(state.linkFlow.subarray(0, tree.pipeCount))
  flows.circuitFlow.set(state.linkFlow.subarray(pipes, pump))
  flows.nodeHead.set(state.nodePressure.subarray(0, tree.pipeCount + 1))
  flows.totalFlow = state.linkFlow[pump] ?? 0
  writeOrder(loops, flows.nodeHead)
}
