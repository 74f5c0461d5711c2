import type { Pascal } from '@isotherm/kernel/quantities'
import { operatingFlow, type PumpCurve, pumpHead } from '../elements/pump.ts'
import {
  createTreeFriction,
  guessFriction,
  startFriction,
  type TreeFriction,
  updateFriction,
} from './tree-friction.ts'
import type { TreeNetwork } from './tree-network.ts'

/** Source of a network: a given head, or a pump at a relative speed. */
export type Source =
  | { readonly kind: 'head'; readonly head: Pascal }
  | { readonly kind: 'pump'; readonly pump: PumpCurve; readonly speed: number }

/**
 * Result and working memory of the solver, allocated once. Flows kg/s, heads Pa (supply minus return at the node);
 * the last slot of `nodeHead` is the source.
 */
export interface TreeState {
  readonly pipeFlow: Float64Array
  readonly circuitFlow: Float64Array
  readonly nodeHead: Float64Array
  /** S of each pipe at its flow, Pa/(kg/s)². */
  readonly pipeResistance: Float64Array
  totalFlow: number
  /** Iterations of the last solve after its first guess; each one updates friction and sweeps up and down. */
  refreshes: number
  readonly sweeps: TreeSweeps
}

/** Indexed by place in sweep order; the last slot of the node arrays is the source. */
interface TreeSweeps {
  readonly friction: TreeFriction
  /** Conductance of a node's own circuits, and with everything below it, kg/s/√Pa. */
  readonly atNode: Float64Array
  readonly downstream: Float64Array
  /** √head at a pipe's far end over that at its near end. */
  readonly headShare: Float64Array
  readonly rootHead: Float64Array
}

/**
 * `solved`: flows are exact for the friction found. `dry`: every circuit is shut or the source has no head, all flows
 * are zero. `not-converged`: flows balance, but friction has not converged within the tolerance.
 */
export type SolveOutcome = 'solved' | 'dry' | 'not-converged'

export interface SolveOptions {
  /**
   * Relative error of a flow: half of the largest relative error of a pipe's S. If errors along a path add up, up to three
   * times that.
   */
  readonly tolerance: number
  readonly maxRefreshes: number
}

export const DEFAULT_SOLVE: SolveOptions = { tolerance: 1e-7, maxRefreshes: 60 }

/** Smallest S of a circuit, Pa/(kg/s)², because S = 0 means infinite flow. */
const MIN_RESISTANCE = 1e-9

export function createTreeState(network: TreeNetwork): TreeState {
  const nodes = network.pipeCount + 1
  return {
    pipeFlow: new Float64Array(network.pipeCount),
    circuitFlow: new Float64Array(network.circuitCount),
    nodeHead: new Float64Array(nodes),
    pipeResistance: new Float64Array(network.pipeCount),
    totalFlow: 0,
    refreshes: 0,
    sweeps: {
      friction: createTreeFriction(network.pipeCount),
      atNode: new Float64Array(nodes),
      downstream: new Float64Array(nodes),
      headShare: new Float64Array(network.pipeCount),
      rootHead: new Float64Array(nodes),
    },
  }
}

const isAnyFlowing = ({ pipeFlow }: TreeState): boolean => pipeFlow.some((flow) => flow > 0)

function takeFlows({ pipeCount, order }: TreeNetwork, { pipeFlow, sweeps }: TreeState): void {
  const { flow } = sweeps.friction
  for (let k = 0; k < pipeCount; k++) flow[k] = pipeFlow[order[k] ?? 0] ?? 0
}

/** Conductance of each circuit, stored in `circuitFlow` until it is replaced by the flow, and their sum at each node. */
function takeValves(network: TreeNetwork, { circuitFlow, sweeps }: TreeState): void {
  const { circuitCount, sweep, circuitResistance, valveResistance } = network
  const { circuitPlace } = sweep
  const { atNode } = sweeps
  atNode.fill(0)
  for (let c = 0; c < circuitCount; c++) {
    const total = (circuitResistance[c] ?? 0) + (valveResistance[c] ?? 0)
    if (Number.isNaN(total)) throw new RangeError(`circuit ${c}: its resistance is not a number`)
    const own = 1 / Math.sqrt(Math.max(MIN_RESISTANCE, total))
    circuitFlow[c] = own
    const at = circuitPlace[c] ?? 0
    atNode[at] = (atNode[at] ?? 0) + own
  }
}

/**
 * Conductance of everything below each node, from the far ends to the source. For estimates of flows, 1/√(1 + x) is
 * approximated by (1 + x/4)/(1 + 3x/4), within 2 % up to x = 1.3, which takes two thirds of the time.
 */
function sweepUp(
  { pipeCount, sweep }: TreeNetwork,
  { atNode, downstream, headShare, friction }: TreeSweeps,
  isGuess = false,
): void {
  const { parent } = sweep
  const { resistance } = friction
  downstream.set(atNode)
  for (let k = pipeCount - 1; k >= 0; k--) {
    const below = downstream[k] ?? 0
    const x = (resistance[k] ?? 0) * below * below
    const share = isGuess ? (1 + 0.25 * x) / (1 + 0.75 * x) : 1 / Math.sqrt(1 + x)
    headShare[k] = share
    const up = parent[k] ?? 0
    downstream[up] = (downstream[up] ?? 0) + below * share
  }
}

/** Flows from the source outwards. */
function sweepDown(
  { pipeCount, sweep }: TreeNetwork,
  { downstream, headShare, rootHead, friction }: TreeSweeps,
  head: number,
): void {
  const { parent } = sweep
  const { flow } = friction
  rootHead[pipeCount] = Math.sqrt(head)
  for (let k = 0; k < pipeCount; k++) {
    const root = (headShare[k] ?? 0) * (rootHead[parent[k] ?? 0] ?? 0)
    rootHead[k] = root
    flow[k] = root * (downstream[k] ?? 0)
  }
}

/**
 * Writes the results of the pipes in their storage order, because random reads are faster than random writes. Heads below a
 * branch without flow are zero.
 */
function writePipes({ pipeCount, sweep }: TreeNetwork, state: TreeState): void {
  const { place } = sweep
  const { pipeFlow, pipeResistance, nodeHead } = state
  const { rootHead, friction } = state.sweeps
  const { flow, resistance } = friction
  nodeHead[pipeCount] = (rootHead[pipeCount] ?? 0) ** 2
  for (let pipe = 0; pipe < pipeCount; pipe++) {
    const k = place[pipe] ?? 0
    const now = flow[k] ?? 0
    const root = rootHead[k] ?? 0
    pipeFlow[pipe] = now
    pipeResistance[pipe] = resistance[k] ?? 0
    nodeHead[pipe] = now > 0 ? root * root : 0
  }
}

function writeCircuits({ circuitCount, sweep }: TreeNetwork, { circuitFlow, sweeps }: TreeState): void {
  const { circuitPlace } = sweep
  const { rootHead } = sweeps
  for (let c = 0; c < circuitCount; c++) {
    circuitFlow[c] = (circuitFlow[c] ?? 0) * (rootHead[circuitPlace[c] ?? 0] ?? 0)
  }
}

function sourceHead(source: Source, conductance: number): number {
  if (source.kind === 'head') return source.head
  return pumpHead(source.pump, operatingFlow(source.pump, source.speed, conductance), source.speed)
}

function runDry(state: TreeState): SolveOutcome {
  state.pipeFlow.fill(0)
  state.circuitFlow.fill(0)
  state.nodeHead.fill(0)
  state.totalFlow = 0
  return 'dry'
}

/** Computes flows from the conductances below each node; false if all are zero. */
function flowDown(network: TreeNetwork, state: TreeState, source: Source): boolean {
  const total = state.sweeps.downstream[network.pipeCount] ?? 0
  const head = sourceHead(source, total)
  if (!(total > 0) || !(head > 0)) return false
  sweepDown(network, state.sweeps, head)
  state.totalFlow = total * Math.sqrt(head)
  return true
}

/** First friction: from the flows of an earlier solve, otherwise from the flows at a typical friction. */
function start(network: TreeNetwork, state: TreeState, source: Source): void {
  const { sweeps } = state
  if (isAnyFlowing(state)) {
    takeFlows(network, state)
    startFriction(network, sweeps.friction)
    return
  }
  guessFriction(network, sweeps.friction)
  sweepUp(network, sweeps, true)
  if (flowDown(network, state, source)) updateFriction(network, sweeps.friction, 0)
}

/**
 * Steady flows of a two-pipe tree. For the law Δp = S·ṁ² a tree is solved exactly by equivalent conductances: one
 * sweep up (g = 1/√(S + 1/G²)) and one down; friction λ(Re) is updated until it converges. O(pipes) per update, no
 * allocation. Flows of an earlier solve in `state` are the first estimate. Throws a RangeError for a resistance that is NaN.
 * Source: docs/domain/formulas.md, tree solver; worked examples: solve-tree.test.ts.
 */
export function solveTree(
  network: TreeNetwork,
  state: TreeState,
  source: Source,
  options: SolveOptions = DEFAULT_SOLVE,
): SolveOutcome {
  const { friction } = state.sweeps
  takeValves(network, state)
  start(network, state, source)
  let isSettled = false
  for (state.refreshes = 0; !isSettled && state.refreshes < options.maxRefreshes; state.refreshes++) {
    sweepUp(network, state.sweeps)
    if (!flowDown(network, state, source)) return runDry(state)
    isSettled = updateFriction(network, friction, 2 * options.tolerance)
  }
  writePipes(network, state)
  writeCircuits(network, state)
  return isSettled ? 'solved' : 'not-converged'
}
