import type { Pascal } from '@isotherm/kernel/quantities'
import { frictionFactor, LAMINAR_LIMIT, TURBULENT_LIMIT } from './friction.ts'
import { operatingFlow, type PumpCurve, pumpHead } from './pump.ts'
import type { TreeNetwork } from './tree-network.ts'

/** What drives the network: a given head at the source, or a pump at a relative speed. */
export type Source =
  | { readonly kind: 'head'; readonly head: Pascal }
  | { readonly kind: 'pump'; readonly pump: PumpCurve; readonly speed: number }

/**
 * Result and working memory of the solver, allocated once. Flows kg/s, heads Pa (supply minus return at the node);
 * the last slot of the node arrays is the source.
 */
export interface TreeState {
  readonly pipeFlow: Float64Array
  readonly circuitFlow: Float64Array
  readonly nodeHead: Float64Array
  readonly pipeResistance: Float64Array
  readonly conductance: Float64Array
  readonly downstream: Float64Array
  readonly rootHead: Float64Array
  totalFlow: number
  /** Friction refreshes that the last solve took. */
  refreshes: number
}

/**
 * `solved`: flows are exact for the friction found. `dry`: every circuit is shut or the source has no head, all flows
 * are zero. `not-converged`: flows balance, but friction had not settled within the tolerance.
 */
export type SolveOutcome = 'solved' | 'dry' | 'not-converged'

export interface SolveOptions {
  /** Largest relative change of any pipe's flow between two friction refreshes. */
  readonly tolerance: number
  readonly maxRefreshes: number
}

export const DEFAULT_SOLVE: SolveOptions = { tolerance: 1e-7, maxRefreshes: 60 }

/** Friction is repeated plainly this often before steps in the transition are halved. */
const PLAIN_REFRESHES = 8

export function createTreeState(network: TreeNetwork): TreeState {
  const nodes = network.pipeCount + 1
  return {
    pipeFlow: new Float64Array(network.pipeCount),
    circuitFlow: new Float64Array(network.circuitCount),
    nodeHead: new Float64Array(nodes),
    pipeResistance: new Float64Array(network.pipeCount),
    conductance: new Float64Array(network.pipeCount),
    downstream: new Float64Array(nodes),
    rootHead: new Float64Array(nodes),
    totalFlow: 0,
    refreshes: 0,
  }
}

/**
 * S of every pipe at its present flow; a pipe that stood still starts from fully rough friction. Between laminar and
 * turbulent flow friction rises steeply with Re, where plain repetition can swing for ever: after a few refreshes half
 * a step is taken there.
 */
function refreshResistances(network: TreeNetwork, state: TreeState): void {
  const { frictionScale, localScale, reynoldsScale, relativeRoughness, roughFriction } = network
  const { pipeFlow, pipeResistance } = state
  const isLate = state.refreshes > PLAIN_REFRESHES
  for (let i = 0; i < network.pipeCount; i++) {
    const reynolds = (reynoldsScale[i] ?? 0) * (pipeFlow[i] ?? 0)
    const factor =
      reynolds > 0 ? frictionFactor(reynolds, relativeRoughness[i] ?? 0) : (roughFriction[i] ?? 0)
    const fresh = (frictionScale[i] ?? 0) * factor + (localScale[i] ?? 0)
    const before = pipeResistance[i] ?? 0
    const isUnsteady = isLate && reynolds > LAMINAR_LIMIT && reynolds < TURBULENT_LIMIT
    pipeResistance[i] = isUnsteady ? Math.sqrt(fresh * before) : fresh
  }
}

/** Conductance of everything below each node: circuits first, then pipes from the far ends to the source. */
function sweepUp(network: TreeNetwork, state: TreeState): void {
  const { circuitNode, circuitResistance, valveResistance, order, parent } = network
  const { downstream, conductance, pipeResistance, circuitFlow } = state
  downstream.fill(0)
  for (let c = 0; c < network.circuitCount; c++) {
    const total = (circuitResistance[c] ?? 0) + (valveResistance[c] ?? 0)
    // Kept in circuitFlow until the downward sweep turns it into a flow.
    const own = 1 / Math.sqrt(total)
    circuitFlow[c] = own
    const node = circuitNode[c] ?? 0
    downstream[node] = (downstream[node] ?? 0) + own
  }
  for (let k = network.pipeCount - 1; k >= 0; k--) {
    const i = order[k] ?? 0
    const below = downstream[i] ?? 0
    const own = below > 0 ? 1 / Math.sqrt((pipeResistance[i] ?? 0) + 1 / (below * below)) : 0
    conductance[i] = own
    const up = parent[i] ?? 0
    downstream[up] = (downstream[up] ?? 0) + own
  }
}

/** Flows from the source outwards; answers the largest relative change of a pipe's flow. */
function sweepDown(network: TreeNetwork, state: TreeState, head: number): number {
  const { order, parent, circuitNode } = network
  const { rootHead, pipeFlow, conductance, downstream, circuitFlow } = state
  let change = 0
  rootHead[network.pipeCount] = Math.sqrt(head)
  for (let k = 0; k < network.pipeCount; k++) {
    const i = order[k] ?? 0
    const flow = (conductance[i] ?? 0) * (rootHead[parent[i] ?? 0] ?? 0)
    const below = downstream[i] ?? 0
    rootHead[i] = below > 0 ? flow / below : 0
    if (flow > 0) change = Math.max(change, Math.abs(flow - (pipeFlow[i] ?? 0)) / flow)
    pipeFlow[i] = flow
  }
  for (let c = 0; c < network.circuitCount; c++) {
    circuitFlow[c] = (circuitFlow[c] ?? 0) * (rootHead[circuitNode[c] ?? 0] ?? 0)
  }
  return change
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

/** Heads below a dry branch stay at zero, since nothing there can move. */
function writeHeads(network: TreeNetwork, state: TreeState): void {
  for (let i = 0; i <= network.pipeCount; i++) state.nodeHead[i] = (state.rootHead[i] ?? 0) ** 2
}

/**
 * Steady flows of a two-pipe tree. For the law Δp = S·ṁ² a tree is solved exactly by equivalent conductances: one
 * sweep up (g = 1/√(S + 1/G²)) and one down; friction λ(Re) is refreshed until it settles. O(pipes) per refresh, no
 * allocation. Flows left in `state` from an earlier solve are the first guess.
 * Source: docs/domain/formulas.md, tree solver; worked examples: solve-tree.test.ts.
 */
export function solveTree(
  network: TreeNetwork,
  state: TreeState,
  source: Source,
  options: SolveOptions = DEFAULT_SOLVE,
): SolveOutcome {
  for (let refresh = 1; refresh <= options.maxRefreshes; refresh++) {
    state.refreshes = refresh
    refreshResistances(network, state)
    sweepUp(network, state)
    const total = state.downstream[network.pipeCount] ?? 0
    const head = sourceHead(source, total)
    if (!(total > 0) || !(head > 0)) return runDry(state)
    const change = sweepDown(network, state, head)
    state.totalFlow = total * Math.sqrt(head)
    if (change <= options.tolerance) {
      writeHeads(network, state)
      return 'solved'
    }
  }
  writeHeads(network, state)
  return 'not-converged'
}
