import type { Pascal } from '@isotherm/kernel/quantities'
import { type Friction, TURBULENT_LIMIT, writeFriction } from './friction.ts'
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
  /** S of each pipe at its flow, Pa/(kg/s)². */
  readonly pipeResistance: Float64Array
  /** √head at a pipe's far end over that at its near end. */
  readonly headShare: Float64Array
  readonly downstream: Float64Array
  readonly rootHead: Float64Array
  /** Where each pipe's friction was last worked out: S and its first derivatives at a flow, and how far to follow it. */
  readonly anchorFlow: Float64Array
  readonly anchorResistance: Float64Array
  readonly anchorSlope: Float64Array
  readonly anchorCurve: Float64Array
  readonly relaxation: Float64Array
  readonly friction: Friction
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

/** An anchor's flow that no flow is near: at rest, and where flow is not turbulent and friction is worked out each time. */
const NOWHERE = -1
/** How near to its anchor a flow may stand, by the tolerance of flows: √ since the error goes with the square. */
const NEAR_BY_ROOT_TOLERANCE = 8
/** Least S of a circuit, Pa/(kg/s)²: one without any would carry all there is. */
const LEAST_RESISTANCE = 1e-9

export function createTreeState(network: TreeNetwork): TreeState {
  const nodes = network.pipeCount + 1
  return {
    pipeFlow: new Float64Array(network.pipeCount),
    circuitFlow: new Float64Array(network.circuitCount),
    nodeHead: new Float64Array(nodes),
    pipeResistance: new Float64Array(network.pipeCount),
    headShare: new Float64Array(network.pipeCount),
    downstream: new Float64Array(nodes),
    rootHead: new Float64Array(nodes),
    anchorFlow: new Float64Array(network.pipeCount),
    anchorResistance: new Float64Array(network.pipeCount),
    anchorSlope: new Float64Array(network.pipeCount),
    anchorCurve: new Float64Array(network.pipeCount),
    relaxation: new Float64Array(network.pipeCount),
    friction: { factor: 0, slope: 0 },
    totalFlow: 0,
    refreshes: 0,
  }
}

/**
 * Works out a pipe's friction at a flow above zero. Where S goes with ṁⁿ, a wrong S puts the flow wrong by between none and
 * half of it, the more the more of its path's head the pipe takes; so the next S is wrong by 0 to −n/2 times as much. To
 * follow only 1/(1 + n/4) of the way leaves at most |n|/4 of an error at either end: 4 % in turbulent flow, and no endless
 * swinging between laminar and turbulent flow, where n is near 1.
 */
function anchor(network: TreeNetwork, state: TreeState, pipe: number, flow: number): void {
  const scale = network.reynoldsScale[pipe] ?? 0
  const frictionScale = network.frictionScale[pipe] ?? 0
  writeFriction(state.friction, scale * flow, network.relativeRoughness[pipe] ?? 0, network.friction)
  const resistance = frictionScale * state.friction.factor + (network.localScale[pipe] ?? 0)
  const slope = frictionScale * state.friction.slope * scale
  const exponent = resistance > 0 ? (slope * flow) / resistance : 0
  state.anchorFlow[pipe] = scale * flow >= TURBULENT_LIMIT ? flow : NOWHERE
  state.anchorResistance[pipe] = resistance
  state.anchorSlope[pipe] = slope
  state.anchorCurve[pipe] = (slope * (exponent - 1)) / (2 * flow)
  state.relaxation[pipe] = 1 / (1 + exponent / 4)
}

/** S at a flow: near its anchor, in turbulent flow, by the power law there, which is off by about near²/100. */
function resistanceAt(
  network: TreeNetwork,
  state: TreeState,
  pipe: number,
  flow: number,
  near: number,
): number {
  const { anchorFlow, anchorResistance, anchorSlope, anchorCurve } = state
  const away = flow - (anchorFlow[pipe] ?? 0)
  if (!(Math.abs(away) < near * flow)) {
    anchor(network, state, pipe, flow)
    return anchorResistance[pipe] ?? 0
  }
  const bend = (anchorSlope[pipe] ?? 0) + (anchorCurve[pipe] ?? 0) * away
  return (anchorResistance[pipe] ?? 0) + bend * away
}

/**
 * S of every pipe at its present flow, or on the way to it; a pipe that stood still starts from an everyday speed. `near`
 * is how far from its anchor a flow may stand.
 */
function refreshResistances(network: TreeNetwork, state: TreeState, near: number, isWhole: boolean): void {
  const { pipeFlow, pipeResistance, relaxation } = state
  for (let i = 0; i < network.pipeCount; i++) {
    const flow = pipeFlow[i] ?? 0
    if (!(flow > 0)) {
      pipeResistance[i] = network.typicalResistance[i] ?? 0
      state.anchorFlow[i] = NOWHERE
      continue
    }
    const fresh = resistanceAt(network, state, i, flow, near)
    const before = pipeResistance[i] ?? 0
    const next = isWhole ? fresh : before + (relaxation[i] ?? 1) * (fresh - before)
    // Far from the solution to follow further than the whole way could lead below zero.
    pipeResistance[i] = next > fresh / 2 ? next : fresh
  }
}

/** Conductance of everything below each node: circuits first, then pipes from the far ends to the source. */
function sweepUp(network: TreeNetwork, state: TreeState): void {
  const { circuitNode, circuitResistance, valveResistance, order, parent } = network
  const { downstream, headShare, pipeResistance, circuitFlow } = state
  downstream.fill(0)
  for (let c = 0; c < network.circuitCount; c++) {
    const total = (circuitResistance[c] ?? 0) + (valveResistance[c] ?? 0)
    // Kept in circuitFlow until the downward sweep turns it into a flow.
    const own = 1 / Math.sqrt(Math.max(LEAST_RESISTANCE, total))
    circuitFlow[c] = own
    const node = circuitNode[c] ?? 0
    downstream[node] = (downstream[node] ?? 0) + own
  }
  for (let k = network.pipeCount - 1; k >= 0; k--) {
    const i = order[k] ?? 0
    const below = downstream[i] ?? 0
    const share = 1 / Math.sqrt((pipeResistance[i] ?? 0) * below * below + 1)
    headShare[i] = share
    const up = parent[i] ?? 0
    downstream[up] = (downstream[up] ?? 0) + below * share
  }
}

/** Flows from the source outwards; answers whether no pipe's flow changed by more than the tolerance. */
function sweepDown(network: TreeNetwork, state: TreeState, head: number, tolerance: number): boolean {
  const { order, parent, circuitNode } = network
  const { rootHead, pipeFlow, headShare, downstream, circuitFlow } = state
  let isSettled = true
  rootHead[network.pipeCount] = Math.sqrt(head)
  for (let k = 0; k < network.pipeCount; k++) {
    const i = order[k] ?? 0
    const root = (headShare[i] ?? 0) * (rootHead[parent[i] ?? 0] ?? 0)
    const below = downstream[i] ?? 0
    const flow = root * below
    if (Math.abs(flow - (pipeFlow[i] ?? 0)) > tolerance * flow) isSettled = false
    rootHead[i] = below > 0 ? root : 0
    pipeFlow[i] = flow
  }
  for (let c = 0; c < network.circuitCount; c++) {
    circuitFlow[c] = (circuitFlow[c] ?? 0) * (rootHead[circuitNode[c] ?? 0] ?? 0)
  }
  return isSettled
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
  const near = Math.min(0.05, NEAR_BY_ROOT_TOLERANCE * Math.sqrt(options.tolerance))
  for (let refresh = 1; refresh <= options.maxRefreshes; refresh++) {
    state.refreshes = refresh
    // The first time what an earlier solve worked out is left aside: flows alone decide where this one begins.
    refreshResistances(network, state, refresh === 1 ? 0 : near, refresh === 1)
    sweepUp(network, state)
    const total = state.downstream[network.pipeCount] ?? 0
    const head = sourceHead(source, total)
    if (!(total > 0) || !(head > 0)) return runDry(state)
    const isSettled = sweepDown(network, state, head, options.tolerance)
    state.totalFlow = total * Math.sqrt(head)
    if (isSettled) {
      refreshResistances(network, state, near, true)
      writeHeads(network, state)
      return 'solved'
    }
  }
  writeHeads(network, state)
  return 'not-converged'
}
